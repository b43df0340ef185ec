import { describe, expect, it } from 'vitest';
import { errorCodes, type ErrorCode } from '#shared/errors/error-codes.ts';
import { makeTransfer } from '#shared/transfer/testing/make-transfer.ts';
import { nextStepAfter } from '#shared/transfer/next-step.ts';
import { transferStates, type Transfer } from '#shared/transfer/transfer.ts';
import { describeProblem } from './problem-words.ts';
import { describeSize, describeTransfer, fractionOf } from './transfer-words.ts';

function transfer(change: Partial<Transfer>): Transfer {
  return makeTransfer(1, {
    state: 'downloading',
    receivedBytes: 61_400_000,
    totalBytes: 85_200_000,
    bytesPerSecond: 14_100_000,
    pace: 14_100_000,
    linkKind: 'signed',
    ...change,
  });
}

function errorOf(code: ErrorCode, details: Record<string, unknown> = {}) {
  return { code, message: 'not for people', details, retryable: true } as NonNullable<Transfer['error']>;
}

describe('describeTransfer', () => {
  it('tells servers that differ from a file that has changed', () => {
    const whatOf = (details: Record<string, unknown>) =>
      describeProblem(errorOf('transfer.source-changed', details)).what;
    expect(whatOf({})).toBe('The file changed at its source while it was fetched');
    expect(whatOf({ isUnsteady: true })).toBe('The source sends other bytes each time');
  });

  it('has words for every state', () => {
    for (const state of transferStates) expect(describeTransfer(transfer({ state })).state).not.toBe('');
  });

  it('says of a file that is put right what was wrong, and how fast bytes come again', () => {
    const error = errorOf('transfer.checksum-mismatch');
    const why = 'The checksum is not the one that the catalog says. What is wrong is found and fetched again';
    const words = { state: 'Putting right · 14.1 MB/s', why, tone: 'warn' };
    expect(describeTransfer(transfer({ state: 'verifying', error }))).toEqual(words);
    expect(describeTransfer(transfer({ state: 'verifying' })).state).toBe('Verifying');
  });

  it('says rate and time left while bytes flow, and by which link', () => {
    expect(describeTransfer(transfer({}))).toEqual({
      state: '14.1 MB/s · 2 s',
      why: 'Signed link',
      tone: 'plain',
    });
  });

  it.each(['preparing', 'downloading'] as const)(
    'says since when nothing comes of one that is %s',
    (state) => {
      const quietSince = '2026-07-14T10:00:00.000Z';
      expect(describeTransfer(transfer({ state, quietSince }))).toMatchObject({
        state: 'Silent',
        why: 'Its server has sent nothing since 10:00:00 UTC. It is asked anew if that goes on',
      });
    },
  );

  it('tells the time left by the pace, and none where there is none', () => {
    expect(describeTransfer(transfer({ pace: 2_000_000 })).state).toBe('14.1 MB/s · 12 s');
    expect(describeTransfer(transfer({ pace: 0 })).state).toBe('14.1 MB/s');
    expect(describeTransfer(transfer({ bytesPerSecond: 0, pace: 0 })).state).toBe('Downloading');
  });

  it.each(['preparing', 'downloading'] as const)('says of what is %s that it stands in line', (state) => {
    expect(describeTransfer(transfer({ state, isInLine: true }))).toMatchObject({
      state: 'In line',
      why: expect.stringContaining('takes no more connections') as string,
    });
  });

  it('says when it goes on and why it waits', () => {
    const error = errorOf('http.too-many-requests', { host: 'storage.example' });
    const words = describeTransfer(
      transfer({ state: 'waiting', waiting: { error, resumeAt: '2026-07-14T14:09:30Z' } }),
    );
    expect(words.state).toBe('Goes on at 14:09:30 UTC');
    expect(words.why).toContain('storage.example asks to slow down');
  });

  it('tells a server that is away from a network that is', () => {
    const stateOf = (details: Record<string, unknown>) => {
      const error = errorOf('network.offline', { host: 'storage.example', ...details });
      const waiting = { error, resumeAt: '2026-07-14T14:09:30Z' };
      return describeTransfer(transfer({ state: 'waiting', waiting })).state;
    };
    expect(stateOf({})).toBe('Waits for the network');
    expect(stateOf({ isServerAway: true })).toBe('Waits for the server');
    expect(stateOf({ reason: 'ENDED_EARLY' })).toBe('Goes on at 14:09:30 UTC');
  });

  it('says how much is missing where a disk is full, and when it looks again', () => {
    const error = errorOf('transfer.disk-full', {
      neededBytes: 3_000_000_000,
      freeBytes: 1_900_000_000,
      missingBytes: 1_200_000_000,
    });
    const words = describeTransfer(
      transfer({ state: 'waiting', waiting: { error, resumeAt: '2026-07-14T14:09:30Z' } }),
    );
    expect(words.state).toBe('Waits for space');
    expect(words.why).toContain('1.20 GB missing on the disk');
    expect(words.why).toContain('Looks again at 14:09:30 UTC');
  });

  it('names no time for what waits for a person to sign in', () => {
    const waitOf = (error: ReturnType<typeof errorOf>) =>
      describeTransfer(transfer({ state: 'waiting', waiting: { error, resumeAt: '2026-07-15T14:09:30Z' } }));
    for (const error of [errorOf('auth.required'), errorOf('network.proxy', { status: 407 })])
      expect(waitOf(error).why).not.toContain('14:09:30');
    expect(waitOf(errorOf('auth.required')).state).toBe('Waits for you to sign in');
  });

  it('promises nothing at the time of one while the whole queue stands still', () => {
    const error = errorOf('network.offline', { host: 'storage.example' });
    const waiting = transfer({ state: 'waiting', waiting: { error, resumeAt: '2026-07-14T14:09:30Z' } });
    const stop = { state: 'Offline', what: 'Offline', next: 'Goes on by itself.', isByPerson: false };
    expect(describeTransfer(waiting).why).toContain('Looks again at 14:09:30 UTC');
    expect(describeTransfer(waiting, stop).why).toContain('Not before 14:09:30 UTC');
  });

  it('calls only a file with a proved checksum verified', () => {
    expect(describeTransfer(transfer({ state: 'done', verification: 'checksum' })).state).toBe('Verified');
    for (const verification of ['size-only', 'none', null] as const) {
      expect(describeTransfer(transfer({ state: 'done', verification })).state).toBe('Not verifiable');
    }
    expect(
      describeTransfer(transfer({ state: 'done', verification: 'size-only', checksumProblem: 'malformed' })),
    ).toMatchObject({ state: 'Not verifiable', tone: 'warn' });
    expect(
      describeTransfer(transfer({ state: 'done', verification: 'checksum', finding: 'missing' })),
    ).toMatchObject({ state: 'Missing', tone: 'bad' });
  });

  it.each(['missing', 'changed'] as const)('names the button that brings a %s file anew', (finding) => {
    expect(describeTransfer(transfer({ state: 'done', finding })).why).toContain('Try again');
  });
});

describe('what is in the way', () => {
  it.each(errorCodes)('of %s has words: what happened and what to do, waiting and failed', (code) => {
    const error = errorOf(code);
    const { what, next } = describeProblem(error);
    expect(what).toMatch(/^[A-Z“].*[^.]$/);
    expect(next).toMatch(/\.$/);
    const waiting = describeTransfer(transfer({ state: 'waiting', waiting: { error, resumeAt: null } }));
    const failed = describeTransfer(transfer({ state: 'failed', error }));
    for (const words of [waiting, failed]) {
      expect(words.state).not.toBe('');
      expect(words.why).toContain(what);
      expect(words.why).not.toContain('not for people');
    }
  });
});

it.each(['transfer.checksum-mismatch', 'transfer.source-mismatch'] as const)(
  'says of %s who can mend it, and where what came is, if it is',
  (code) => {
    const nextOf = (details: Record<string, unknown>) => describeProblem(errorOf(code, details)).next;
    expect(nextOf({ keptAs: 'B04.tif.21.bad' })).toContain('kept as “B04.tif.21.bad”');
    expect(nextOf({})).toContain('not given its name');
    for (const details of [{ keptAs: 'B04.tif.21.bad' }, {}])
      expect(nextOf(details)).toMatch(/tell the provider/i);
    expect(nextStepAfter(code)).toBe('ask-provider');
  },
);

it('tells sizes apart that differ by little', () => {
  const what = (actualBytes: number) =>
    describeProblem(errorOf('transfer.size-mismatch', { expectedBytes: 2_999_000, actualBytes })).what;
  expect(what(1_200_000)).toBe('The file has 1.20 MB, the catalog says 3.00 MB');
  expect(what(3_000_000)).toBe('The file has 3,000,000 bytes, the catalog says 2,999,000 bytes');
});

const endedLinks = { reason: 'The catalog hands out links that have ended.', refusal: 'expired' };
const noLink = { reason: 'it sends the file itself instead of a link', status: 200 };

describe('a link that is refused', () => {
  it.each([
    [endedLinks, 'The catalog hands out links that have ended'],
    [noLink, 'The catalog’s proxy doesn’t lead to the file (status 200)'],
  ])('by nobody but the catalog is not laid upon the storage: %j', (details, what) => {
    const words = describeProblem(errorOf('link.refused', details));
    expect(words.what).toBe(what);
    expect(words.next).toMatch(/^The storage was not at fault\..*tell the provider\.$/);
  });

  it.each([
    [{ status: 403, refusal: 'expired' }, ' (status 403)'],
    [{ status: 301, refusal: 'region' }, ' (status 301)'],
    [{ status: 403 }, ' (status 403)'],
    [{ reason: 'every way was refused' }, ''],
  ])('by the storage is told so: %j', (details, status) => {
    const words = describeProblem(errorOf('link.refused', details));
    expect(words.what).toBe(`The storage refuses the file${status}`);
    expect(words.next).toContain('Every link was tried that the catalog gives for it.');
  });

  it.each([
    ['signed', 'takes no proxy links'],
    ['proxy', 'takes proxy links only'],
  ])('is not said to have been asked for in ways that the order doesn’t take: %s', (linkMode, said) => {
    const words = describeProblem(errorOf('link.refused', { status: 403, linkMode }));
    expect(words.next).toContain(said);
  });
});

it.each([{ contentRange: 'bytes 5-9/10' }, { contentRange: null }, {}])(
  'calls a part that was not asked for a part, and no sign-in page: %j',
  (details) => {
    const words = describeProblem(errorOf('transfer.wrong-content', details));
    expect(words.what).toBe('The server returned the wrong part of the file');
    expect(words.next).not.toContain('sign-in');
  },
);

it.each([
  [{ contentType: 'text/html', isPage: true }, 'The source sends a page in place of the file'],
  [{ reason: 'a web page', isPage: true }, 'What came is not the file: it is a web page'],
])('thinks of a sign-in page where something else came: %j', (details, what) => {
  const words = describeProblem(errorOf('transfer.wrong-content', details));
  expect(words.what).toBe(what);
  expect(words.next).toContain('sign-in page');
});

it.each([
  ['ENDED_EARLY', 'storage.example broke the connection off', 'tried again'],
  ['ECONNRESET', 'storage.example broke the connection off', 'tried again'],
  ['ECONNREFUSED', 'storage.example can’t be reached', 'when that is over'],
])('says of %s whether the server was reached', (reason, what, next) => {
  const words = describeProblem(errorOf('network.offline', { host: 'storage.example', reason }));
  expect(words.what).toBe(what);
  expect(words.next).toContain(next);
});

it.each(['network.offline', 'network.timeout'] as const)(
  'does not say of %s that it goes on where the server sends whole files only',
  (code) => {
    const { next } = describeProblem(errorOf(code, { reason: 'ENDED_EARLY', givesNoRanges: true }));
    expect(next).toBe('It begins again, as this server sends whole files only.');
  },
);

it.each([
  [{}, '61.4 of 85.2 MB', 61.4 / 85.2],
  [{ receivedBytes: 85_200 }, '85.2 kB of 85.2 MB', 0.001],
  [{ totalBytes: null }, '61.4 MB so far', null],
  [{ totalBytes: null, receivedBytes: 0 }, 'size unknown', 0],
  [{ receivedBytes: 0 }, '85.2 MB', 0],
  [{ state: 'done', receivedBytes: 85_200_000 }, '85.2 MB', 1],
  [{ state: 'cancelled' }, '85.2 MB', 0],
  [{ totalBytes: 0, receivedBytes: 0, state: 'failed' }, '0 bytes', 0],
  [{ totalBytes: 0, receivedBytes: 0, state: 'done' }, '0 bytes', 1],
] as const)('shows size and progress of %j', (change, words, fraction) => {
  expect(describeSize(transfer(change))).toBe(words);
  expect(fractionOf(transfer(change))).toBe(fraction);
});

it('tells an ill disk from a program that meddles with what is on it', () => {
  const nextOf = (reason: string) => describeProblem(errorOf('transfer.disk-error', { reason })).next;
  expect(nextOf('EIO')).toContain('Check the disk');
  expect(nextOf('TOUCHED')).toContain('Keep other programs out');
  expect(nextOf('toString')).toContain('Check the disk');
});
