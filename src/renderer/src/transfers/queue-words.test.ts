import { expect, it } from 'vitest';
import { noTransfers, type QueueStatus } from '#shared/transfer/queue-status.ts';
import { describeToCome, describeToDo } from './queue-words.ts';

function queue(counts: Partial<QueueStatus['counts']>, leftBytes = 0, unknownCount = 0) {
  return { counts: { ...noTransfers, ...counts }, leftBytes, unknownCount };
}

it.each([
  [queue({ done: 3 }), 'Nothing to do', 'Nothing', '0 files'],
  [queue({ done: 3, paused: 2 }), '2 paused', 'Nothing', '2 paused'],
  [
    queue({ downloading: 1, queued: 3 }, 120e6, 1),
    '4 transfers to do · 120 MB left',
    '120 MB',
    '4 files, 1 of unknown size',
  ],
  [
    queue({ downloading: 1, paused: 1 }, 120e6),
    '1 transfer to do · 120 MB left · 1 paused',
    '120 MB',
    '1 file',
  ],
  [queue({ waiting: 1 }, 0, 1), '1 transfer to do', 'Unknown', '1 file, 1 of unknown size'],
])('says the same of a queue wherever it stands: %j', (counted, toDo, value, note) => {
  expect(describeToDo(counted)).toBe(toDo);
  expect(describeToCome(counted)).toEqual({ value, note });
});
