import { expect, it } from 'vitest';
import type { ErrorCode } from '#shared/errors/error-codes.ts';
import { noTransfers, type QueueStatus } from '#shared/transfer/queue-status.ts';
import {
  describeAtOnce,
  describeFullDisks,
  describeMissingFolders,
  describeMissingLogins,
  describeNextStart,
  describeSubject,
  describeTakenOff,
  describeTimeLeft,
  describeToCome,
  describeToDo,
} from './queue-words.ts';

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
  [queue({ failed: 6, done: 2 }), '6 failed', 'Nothing', '0 files'],
])('says the same of a queue wherever it stands: %j', (counted, toDo, value, note) => {
  expect(describeToDo(counted)).toBe(toDo);
  expect(describeToCome(counted)).toEqual({ value, note });
});

it('says what was lost of what is done', () => {
  expect(describeToDo(queue({ done: 5, failed: 1 }), 3)).toBe('1 failed · 2 missing or changed');
});

it('says of more than the limit that they end first', () => {
  const say = (count: number, quietCount = 0) => describeAtOnce({ count, quietCount, most: 4 });
  expect([say(3), say(7), say(4, 3)]).toEqual(['3 of 4', '7, then 4', '4 of 4 · 3 silent']);
});

it('says where a full disk keeps how many from coming', () => {
  const error = { code: 'transfer.disk-full', message: '', details: {}, retryable: true } as const;
  const stuck = {
    transferId: 7,
    state: 'waiting',
    waiting: { error, resumeAt: null },
    downloadId: 1,
  } as const;
  const other = { transferId: 8, state: 'queued', waiting: null, downloadId: 2 } as const;
  expect(describeFullDisks([other], () => '/data')).toBeNull();
  expect(describeFullDisks([stuck, stuck, other], (id) => `/data/${id}`)).toMatchObject({
    title: '2 files wait for space',
    hint: expect.stringContaining('The disk of /data/1 is full.') as string,
    transferIds: [7, 7],
  });
});

it('says which folders are waited for', () => {
  const error = { code: 'transfer.destination-missing', message: '', details: {}, retryable: true } as const;
  const stuckIn = (downloadId: number) =>
    ({ transferId: 7, state: 'waiting', waiting: { error, resumeAt: null }, downloadId }) as const;
  const folderOf = (id: number) => `/data/${id}`;
  expect(describeMissingFolders([], folderOf)).toBeNull();
  expect(describeMissingFolders([stuckIn(1), stuckIn(1)], folderOf)).toMatchObject({
    title: '2 files wait for /data/1',
    hint: expect.stringMatching(/^It is not there\. Connect its disk/) as string,
  });
  expect(describeMissingFolders([stuckIn(1), stuckIn(2)], folderOf)?.hint).toMatch(/^They are not there\./);
});

it('says how many files wait for a login, and where', () => {
  const stuckBy = (code: ErrorCode, downloadId: number) => {
    const error = { code, message: '', details: {}, retryable: true };
    return { transferId: 7, state: 'waiting', waiting: { error, resumeAt: null }, downloadId } as const;
  };
  const catalogOf = (downloadId: number) => ({ id: `id-${downloadId}`, name: `Archive ${downloadId}` });
  const one = stuckBy('auth.required', 1);
  expect(
    describeMissingLogins([stuckBy('network.offline', 1), stuckBy('network.proxy', 1)], catalogOf),
  ).toBeNull();
  expect(describeMissingLogins([one, one], catalogOf)).toEqual({
    title: '2 files wait for you to sign in to Archive 1',
    hint: expect.stringMatching(/^The catalog asks for a valid access token\. Renew it/) as string,
    connectionId: 'id-1',
  });
  expect(describeMissingLogins([one, stuckBy('auth.client-refused', 2)], catalogOf)).toMatchObject({
    title: '2 files wait for you to sign in to Archive 1, Archive 2',
    hint: 'Renew each login in Settings.',
  });
});

it('says of a disk that is nearly full how much has to be freed, at the least', () => {
  const stuckBy = (missingBytes: number) => {
    const details = { freeBytes: 26.2e6, missingBytes, reserveBytes: 67.1e6 };
    const error = { code: 'transfer.disk-full', message: '', details, retryable: true } as const;
    return { transferId: 7, state: 'waiting', waiting: { error, resumeAt: null }, downloadId: 1 } as const;
  };
  expect(describeFullDisks([stuckBy(90e6), stuckBy(43e6)], () => '/data')?.hint).toMatch(
    /^The disk of \/data has 26\.2 MB free, and 67\.1 MB always stay free for other programs\. Free 43\.0 MB or more, and/,
  );
  const elsewhere = { ...stuckBy(90e6), downloadId: 2 };
  expect(describeFullDisks([stuckBy(43e6), elsewhere], (id) => `/data/${id}`)?.hint).toMatch(
    /^The disk of \/data\/1, \/data\/2 is full\. Free some space, and/,
  );
});

it('says of what is taken off the list what becomes of its files', () => {
  expect(describeTakenOff(['done', 'done'])).toContain('stay where they are');
  expect(describeTakenOff(['failed', 'cancelled'])).toBe('Part files are deleted.');
  expect(describeTakenOff(['failed', 'done'])).toMatch(/done stay where they are; part files .* deleted/);
});

it('says when the first goes on, or what it waits for where that is a person', () => {
  const waitOf = (code: ErrorCode, resumeAt: string) => ({
    error: { code, message: 'not for people', details: {}, retryable: true },
    resumeAt,
  });
  const login = waitOf('auth.required', '2026-07-15T14:00:00Z');
  const busy = waitOf('http.too-many-requests', '2026-07-15T14:09:30Z');
  expect(describeNextStart([login, waitOf('network.timeout', '2026-07-15T15:00:00Z'), busy])).toBe(
    'goes on at 14:09:30 UTC',
  );
  expect(describeNextStart([waitOf('transfer.disk-full', '2026-07-15T14:00:00Z'), busy])).toBe(
    'looks again at 14:00:00 UTC',
  );
  expect(describeNextStart([login])).toBe('waits for you to sign in');
  expect(describeNextStart([])).toBe('nothing flows');
});

it.each([
  [{ secondsLeft: 46, unknownCount: 0 }, 'about 46 s left'],
  [{ secondsLeft: 46, unknownCount: 5 }, 'more than 46 s left'],
  [{ secondsLeft: 0, unknownCount: 5 }, null],
  [{ secondsLeft: null, unknownCount: 0 }, null],
  [{ secondsLeft: 760 * 86_400, unknownCount: 1 }, null],
])('tells no shorter time than what is known: %j', (status, words) => {
  expect(describeTimeLeft(status)).toBe(words);
});

it('says what a menu is about where that is more than a line, or less than an order', () => {
  expect(describeSubject(1, { isPart: false })).toBeNull();
  expect(describeSubject(12, { isPart: false })).toBe('12 files');
  expect(describeSubject(1, { isPart: true })).toBe('1 file: those shown here');
});
