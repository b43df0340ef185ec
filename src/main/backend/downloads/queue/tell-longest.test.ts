import { expect, it } from 'vitest';
import type { LiveRun } from './live-run.ts';
import { tellLongest, tellShare } from './tell-longest.ts';

const nowMs = 0;

function run(leftBytes: number, pace: number, quietSinceMs: number | null = null) {
  const row = { totalBytes: leftBytes, announcedBytes: null } as LiveRun['row'];
  return { row, receivedBytes: 0, pace: () => pace, quietSinceMs };
}

it('is the time of the slowest file, and of none that is silent', () => {
  const runs = [run(1000, 100), run(500, 10), run(9000, 1, 5)];
  expect(tellLongest(runs, { share: null, nowMs })).toBe(50);
  expect(tellLongest([], { share: null, nowMs })).toBe(0);
});

it('counts no file that only has its share of a limit, and one whose server is slower than that', () => {
  const share = tellShare({ limit: 1000, bytesPerSecond: 960, count: 4 });
  expect(share).toBe(250);
  const fair = [run(100_000, 250), run(10_000, 240), run(1000, 260)];
  expect(tellLongest(fair, { share, nowMs })).toBe(0);
  expect(tellLongest([...fair, run(10_000, 50)], { share, nowMs })).toBe(200);
});

it('knows of no share where the limit is not used up', () => {
  expect(tellShare({ limit: 1000, bytesPerSecond: 500, count: 4 })).toBeNull();
  expect(tellShare({ limit: null, bytesPerSecond: 500, count: 4 })).toBeNull();
  expect(tellShare({ limit: 1000, bytesPerSecond: 1000, count: 0 })).toBeNull();
});
