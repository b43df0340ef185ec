import { beforeEach, expect, it } from 'vitest';
import { defaultSettings } from '#shared/settings/settings.ts';
import { noTransfers, type QueueStatus } from '#shared/transfer/queue-status.ts';
import { makeTransfer } from '#shared/transfer/testing/make-transfer.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import type { TransferChanges } from '../downloads/downloads.ts';
import type { AttentionAct, AttentionPort } from '../ports.ts';
import { createAttention } from './attention.ts';

type Progress = Parameters<AttentionPort['showProgress']>[0];
type Tray = Parameters<AttentionPort['showTray']>[0];

let tell: (changes: TransferChanges) => void;
let act: (act: AttentionAct) => void;
let progress: Progress[];
let trays: Tray[];
let notices: { title: string; body: string }[];
let asked: string[];
let isNotifying: boolean;
let failure: Error | null;

function ask(what: string): void {
  if (failure !== null) throw failure;
  asked.push(what);
}

function open() {
  const port: AttentionPort = {
    showProgress: (shown) => progress.push(shown),
    showTray: (shown) => trays.push(shown),
    notify: ({ title, body }) => notices.push({ title, body }),
    onAct: (listener) => (act = listener),
  };
  return createAttention({
    downloads: {
      watch: (listener) => {
        tell = listener;
        return () => asked.push('stop');
      },
      orders: () => [
        {
          downloadId: 1,
          title: 'Fields',
          origin: { kind: 'selection' },
          connectionId: 'demo',
          destination: '/out',
          links: 'auto',
          orderedAt: '2026-07-14T10:00:00Z',
        },
      ],
      async pauseQueue() {
        ask('pause');
        return Promise.resolve();
      },
      resumeQueue: () => ask('resume'),
    },
    settings: { current: { ...defaultSettings, isNotifying } },
    port,
  });
}

function changes(
  changed: Transfer[],
  counts: Partial<QueueStatus['counts']>,
  leftBytes: number,
): TransferChanges {
  return {
    changed,
    removed: [],
    orders: null,
    isComplete: true,
    queue: {
      isPaused: false,
      hold: null,
      pauses: [],
      counts: { ...noTransfers, ...counts },
      leftBytes,
      unknownCount: 0,
      bytesPerSecond: 0,
      secondsLeft: null,
      flows: [],
      notice: null,
    },
  };
}

beforeEach(() => {
  [progress, trays, notices, asked] = [[], [], [], []];
  isNotifying = true;
  failure = null;
});

it('shows how far the evening is, leaves out what was done before, and takes the bar away at its end', () => {
  open();
  tell(
    changes(
      [makeTransfer(9, { state: 'done', receivedBytes: 900 }), makeTransfer(1), makeTransfer(2)],
      { queued: 2, done: 1 },
      200,
    ),
  );
  tell(
    changes(
      [makeTransfer(1, { state: 'downloading', receivedBytes: 50 })],
      { downloading: 1, queued: 1 },
      150,
    ),
  );
  expect(progress.at(-1)).toEqual({ fraction: 0.25, tone: 'running', leftCount: 2 });
  expect(trays.at(-1)).toEqual({ words: '2 files to come', act: 'pause-all' });
  tell(
    changes([makeTransfer(1, { state: 'done', receivedBytes: 100 })], { queued: 1, done: 2, failed: 1 }, 100),
  );
  expect(progress.at(-1)).toEqual({ fraction: 0.5, tone: 'problem', leftCount: 1 });
  tell(changes([makeTransfer(2, { state: 'done', receivedBytes: 100 })], { done: 3 }, 0));
  expect(progress.at(-1)).toBeNull();
  expect(trays.at(-1)).toBeNull();
});

it('tells the end of an order once, under its title, and nothing to whoever doesn’t want it', () => {
  open();
  tell(changes([makeTransfer(1), makeTransfer(2)], { queued: 2 }, 200));
  tell(changes([makeTransfer(1, { state: 'done', verification: 'checksum' })], { queued: 1, done: 1 }, 100));
  expect(notices).toEqual([]);
  tell(changes([makeTransfer(2, { state: 'done', verification: 'checksum' })], { done: 2 }, 0));
  expect(notices).toEqual([{ title: 'Fields is here', body: '2 files done and verified.' }]);
  isNotifying = false;
  open();
  tell(changes([makeTransfer(3)], { queued: 1 }, 100));
  tell(changes([makeTransfer(3, { state: 'done' })], { done: 1 }, 0));
  expect(notices).toHaveLength(1);
});

it('does what is asked outside the window', () => {
  const attention = open();
  const calls: unknown[] = [];
  const stop = attention.onCall((call) => calls.push(call));
  act('show-downloads');
  act('pause-all');
  act('resume-all');
  stop();
  act('show-downloads');
  expect(calls).toEqual([{ view: 'downloads' }]);
  expect(asked).toEqual(['pause', 'resume']);
  attention.close();
  expect(progress.at(-1)).toBeNull();
});

it.each([
  ['pause-all', 'paused'],
  ['resume-all', 'resumed'],
] as const)('says why a wish of the tray (%s) could not be noted', async (wish, what) => {
  open();
  failure = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  act(wish);
  await expect.poll(() => notices).toHaveLength(1);
  expect(notices[0]).toEqual({
    title: `Downloads could not be ${what}`,
    body: 'The disk that Swath’s files are on is full.',
  });
});
