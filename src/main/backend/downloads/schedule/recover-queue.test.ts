import { expect, it } from 'vitest';
import type { TransferState } from '#shared/transfer/transfer.ts';
import type { TransferRow } from '../queue/transfer-row.ts';
import { recoverQueue } from './recover-queue.ts';

it('holds a third death against what ran, and not against what only waited for its name', () => {
  const rows = ['downloading', 'verifying', 'finalizing'].map(
    (state) => ({ state, deaths: 2 }) as unknown as TransferRow,
  );
  const decided: [TransferState, string, number | undefined][] = [];
  recoverQueue(
    {
      rowsIn: (...states) => rows.filter(({ state }) => states.includes(state)),
      together: (work) => work(),
    },
    {
      nowMs: 0,
      wasClosed: false,
      decide: ({ state }, event, changes) => decided.push([state, event, changes?.deaths]),
    },
  );
  expect(decided).toEqual([
    ['downloading', 'fail', 0],
    ['verifying', 'fail', 0],
    ['finalizing', 'interrupt', 2],
  ]);
});
