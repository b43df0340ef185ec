import { expect, it } from 'vitest';
import { createQueueFlow } from './queue-status.ts';

it('tells how fast bytes come though files are done within moments, and nothing between them', () => {
  const flow = createQueueFlow(0);
  // A file of 30 MB every six seconds, each in a moment.
  for (let nowMs = 0; nowMs <= 60_000; nowMs += 6000) flow.count(30_000_000, nowMs);
  expect(flow.bytesPerSecond(66_000)).toBe(0);
  expect(flow.pace(61_000)).toBeGreaterThan(4_000_000);
  expect(flow.pace(61_000)).toBeLessThan(7_000_000);
});
