import { expect, it } from 'vitest';
import { countFlow, createQueueFlow, tellSecondsLeft } from './queue-status.ts';

it('tells how fast bytes come though files are done within moments, and nothing between them', () => {
  const flow = createQueueFlow(() => null);
  // A file of 30 MB every six seconds, each in a moment.
  for (let nowMs = 0; nowMs <= 60_000; nowMs += 6000)
    countFlow(flow, { downloadId: 1 + ((nowMs / 6000) % 2), bytes: 30_000_000, nowMs });
  expect(flow.all.bytesPerSecond(66_000)).toBe(0);
  expect(flow.all.pace(61_000)).toBeGreaterThan(4_000_000);
  expect(flow.all.pace(61_000)).toBeLessThan(7_000_000);
  // Every other one is of this order.
  expect(flow.byOrder.get(1)?.pace(61_000)).toBeGreaterThan(1_900_000);
  expect(flow.byOrder.get(1)?.pace(61_000)).toBeLessThan(4_100_000);
});

it('tells the time left by more than what a fast server gave between slow ones', () => {
  const flow = createQueueFlow(() => null);
  const come = (bytes: number, nowMs: number) => countFlow(flow, { downloadId: 1, bytes, nowMs });
  for (let nowMs = 0; nowMs < 55_000; nowMs += 500) come(500_000, nowMs);
  for (let nowMs = 55_000; nowMs <= 60_000; nowMs += 500) come(5_000_000, nowMs);
  expect(flow.all.bytesPerSecond(60_000)).toBeGreaterThan(9_000_000);
  expect(flow.all.pace(60_000)).toBeLessThan(2_000_000);
});

it('tells the time left by what comes since a stall', () => {
  const flow = createQueueFlow(() => null);
  const come = (nowMs: number) => countFlow(flow, { downloadId: 1, bytes: 250_000, nowMs });
  for (let nowMs = 0; nowMs <= 10_000; nowMs += 250) come(nowMs);
  for (let nowMs = 50_000; nowMs <= 55_000; nowMs += 250) come(nowMs);
  for (const one of [flow.all, flow.byOrder.get(1)]) expect(one?.pace(55_000)).toBeGreaterThan(900_000);
});

it('tells the time left by what comes since the bandwidth was changed', () => {
  let limit: number | null = null;
  const flow = createQueueFlow(() => limit);
  const come = (bytes: number, nowMs: number) => countFlow(flow, { downloadId: 1, bytes, nowMs });
  for (let nowMs = 0; nowMs <= 20_000; nowMs += 250) come(5_000_000, nowMs);
  expect(flow.all.pace(20_000)).toBeGreaterThan(19_000_000);
  limit = 1_000_000;
  for (let nowMs = 20_250; nowMs <= 22_000; nowMs += 250) come(250_000, nowMs);
  expect(flow.all.pace(22_000)).toBeLessThan(1_300_000);
  expect(flow.all.bytesPerSecond(22_000)).toBeLessThan(1_300_000);
  expect(flow.byOrder.get(1)?.pace(22_000)).toBeLessThan(1_300_000);
});

it('tells no time that is over before the last that waits for one goes on, and none where all wait for a person', () => {
  const left = { comingBytes: 1000, stuckBytes: 0, pace: 100, longestSeconds: 0, pausedSeconds: -5 };
  expect(tellSecondsLeft(left)).toBe(10);
  expect(tellSecondsLeft({ ...left, pausedSeconds: 3600 })).toBe(3600);
  expect(tellSecondsLeft({ ...left, longestSeconds: 60 })).toBe(60);
  expect(tellSecondsLeft({ ...left, pace: 0 })).toBeNull();
  expect(tellSecondsLeft({ ...left, comingBytes: 0, stuckBytes: 500 })).toBeNull();
});
