import { expect, it } from 'vitest';
import type { TransferReport } from '#shared/transfer/transfer-report.ts';
import { makeTransfer } from '#shared/transfer/testing/make-transfer.ts';
import { summarise } from '../state/order-summary.ts';
import { describeHold, describePause, describeStop } from './hold-words.ts';
import { describeOrderState, type OrderSurroundings } from './order-words.ts';
import { groupReport, writeReport } from './report-words.ts';
import { describeTransfer } from './transfer-words.ts';

const now = new Date('2026-07-14T10:00:00Z');
const error = { message: 'not for people', details: {}, retryable: true };
const busy = { ...error, code: 'http.too-many-requests' as const };
const paused = describeStop({ isPaused: true, hold: null }, { now, isOffline: false });
const battery = describeStop(
  { isPaused: false, hold: { error: { ...error, code: 'limit.battery' }, resumeAt: null } },
  { now, isOffline: false },
);
const queued = makeTransfer(1, { state: 'queued' });
const waiting = makeTransfer(2, {
  state: 'waiting',
  waiting: { error: busy, resumeAt: '2026-07-14T10:05:00Z' },
});

it('is of what a person looks at, with the way to go on, wherever that is', () => {
  expect(describeStop({ isPaused: false, hold: null }, { now, isOffline: false })).toBeNull();
  expect(describeTransfer(queued).why).toBe('Waits for its turn');
  expect(describeTransfer(queued, paused).why).toBe('The queue is paused. Resume all to go on.');
  expect(describeTransfer(queued, battery).why).toBe(
    'Paused: the computer runs on battery. They go on by themselves when it is plugged in.',
  );
  expect(standing(queued)).toMatchObject({ state: 'Queued', tone: 'plain' });
  expect(standing(queued, { stop: paused })).toMatchObject({
    state: 'The queue is paused',
    tone: 'warn',
  });
});

it('says once that a person works offline, and what will still keep it from running then', () => {
  const plan = { error: { ...error, code: 'limit.schedule' as const }, resumeAt: null };
  const offline = describeStop({ isPaused: false, hold: null }, { now, isOffline: true });
  expect(describeTransfer(queued, offline).why).toBe(
    'You are working offline. It goes on by itself when you go online.',
  );
  const refused = { error: { ...error, code: 'network.switched-off' as const }, resumeAt: null };
  expect(describeTransfer({ ...waiting, waiting: refused }, offline).why).toBe(
    'You are working offline. It goes on by itself when you go online.',
  );
  const planned = describeStop({ isPaused: false, hold: plan }, { now, isOffline: true });
  expect(describeTransfer(queued, planned).why).toBe(
    'You are working offline. Paused by the week plan, once you are online.',
  );
});

it('leaves an order whose files all wait for themselves what they wait for', () => {
  const hold = { error: { ...busy, details: { host: 'other.example' } }, resumeAt: '2026-07-14T10:05:00Z' };
  const stop = describeStop({ isPaused: false, hold }, { now, isOffline: false });
  expect(standing(waiting).state).toBe('1 waiting · goes on at 10:05:00 UTC');
  expect(standing(waiting, { stop }).state).toBe('1 waiting · not before 10:05:00 UTC');
  expect(standing(queued, { stop }).state).toContain('other.example asks for a rest');
  expect(standing(waiting, { stop: paused }).state).toBe('The queue is paused');
});

it('says of what is queued that its server wants a pause, though others run', () => {
  const pause = { connectionId: 'a', collectionId: queued.collectionId, host: 'storage.example' };
  const queue = { pauses: [{ ...pause, resumeAt: '2026-07-14T10:05:00Z' }] };
  expect(standing(queued, { ...queue, connectionId: 'b' }).state).toBe('Queued');
  expect(standing(queued, { ...queue, connectionId: 'a' }).state).toBe(
    'storage.example has asked for a pause · goes on at 10:05:00 UTC',
  );
  expect(describePause(queue, { ...queued, connectionId: 'b' })).toBeNull();
  const stop = describePause(queue, { ...queued, connectionId: 'a' });
  expect(describeTransfer(queued, stop).why).toBe(
    'storage.example has asked for a pause. Goes on at 10:05:00 UTC.',
  );
});

it('leaves what waits its own time, before which it would not go on anyway', () => {
  expect(describeTransfer(waiting).state).toBe('Goes on at 10:05:00 UTC');
  const words = describeTransfer(waiting, paused);
  expect(words.state).toBe('Not before 10:05:00 UTC');
  expect(words.why).toContain('asks to slow down. The queue is paused. Resume all');
});

it('says who can’t be reached and when that is looked at again', () => {
  const away = { ...error, code: 'network.offline' as const };
  const resumeAt = '2026-07-14T10:00:40Z';
  const named = { ...away, details: { host: 'catalog.example' } };
  expect(describeHold({ error: named, resumeAt }, now).hint).toMatch(/^catalog\.example can’t be reached\./);
  const ofCatalog = { ...away, details: { isCatalog: true } };
  const { title, hint } = describeHold({ error: ofCatalog, resumeAt }, now);
  expect(title).toBe('Waits for the network');
  expect(hint).toBe(
    'The catalog can’t be reached. Looks again at 10:00:40 UTC. It goes on where it was when that is over.',
  );
  expect(describeHold({ error: away, resumeAt: null }, now).hint).toMatch(/that is over\.$/);
});

it('says that somebody works offline, and tells no time at which anything would go on', () => {
  const stop = describeStop({ isPaused: false, hold: null }, { now, isOffline: true });
  expect(stop?.state).toBe('Waits while offline');
  expect(stop?.isByPerson).toBe(true);
});

it('names the server that asks for a rest', () => {
  const named = { ...busy, details: { host: 'data.example.com' } };
  expect(describeHold({ error: named, resumeAt: null }, now).title).toBe('data.example.com asks for a rest');
});

it('tells seconds of a rest that a server asks for', () => {
  expect(describeHold({ error: busy, resumeAt: '2026-07-14T10:00:40Z' }, now).title).toContain(
    'until 10:00:40 UTC',
  );
});

it('is in the report, of what has its turn still to come', () => {
  const line = {
    orderTitle: 'Fields',
    collectionId: 'c',
    itemId: 'i',
    assetKey: 'a',
    filePath: null,
    sizeBytes: 1,
  };
  const rest = { connectionId: 'a', receivedBytes: 0, resumeAt: null, error: null };
  const report: TransferReport = {
    downloadId: 1,
    title: 'Fields',
    destination: '/out',
    at: now.toISOString(),
    isSettled: false,
    verified: { count: 0, bytes: 0 },
    unverified: [],
    lost: [],
    failed: [],
    waiting: [
      { ...line, ...rest, state: 'queued' },
      { ...line, ...rest, state: 'paused' },
    ],
    cancelledCount: 0,
  };
  const holding = { stop: paused, pauses: [] };
  expect(groupReport(report, holding)[0]?.fates).toMatchObject([
    { what: 'The queue is paused', next: 'Resume all to go on.' },
    { what: 'Paused by you' },
  ]);
  expect(writeReport(report, holding)).toContain('It is not at its end. The queue is paused.');
  expect(writeReport(report)).toContain('more happens by itself');
  const pause = { connectionId: 'a', collectionId: 'c', host: 'storage.example' };
  const pauses = [{ ...pause, resumeAt: '2026-07-14T10:05:00Z' }];
  expect(groupReport(report, { stop: null, pauses })[0]?.fates[0]).toMatchObject({
    what: 'storage.example has asked for a pause',
    next: 'Goes on at 10:05:00 UTC.',
  });
});

function standing(transfer: Parameters<typeof summaryOf>[0], around: Partial<OrderSurroundings> = {}) {
  return describeOrderState(summaryOf(transfer), {
    stop: null,
    pauses: [],
    connectionId: 'demo',
    now,
    ...around,
  });
}

function summaryOf(transfer: typeof queued) {
  const summary = summarise([transfer]).get(transfer.downloadId);
  if (!summary) throw new Error('There is no order');
  return summary;
}
