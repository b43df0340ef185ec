import { expect, it } from 'vitest';
import { historySeconds, noHistory, recordRate } from './rate-history.ts';

it('keeps one sample a second, the last minutes of them, and a gap as no flow', () => {
  const first = recordRate(noHistory, 10, 5000);
  expect(recordRate(first, 20, 5400).samples).toEqual([20]);
  const second = recordRate(first, 30, 6100);
  expect(second.samples).toEqual([10, 30]);
  // Samples stay on their seconds, however late each comes.
  expect(recordRate(second, 40, 7050).samples).toEqual([10, 30, 40]);
  expect(recordRate(second, 40, 9000).samples).toEqual([10, 30, 0, 0, 40]);
  const asleep = recordRate(second, 50, 90_000_000);
  expect(asleep.samples).toHaveLength(historySeconds);
  expect(asleep.samples.at(-1)).toBe(50);
  expect(asleep.samples.at(-2)).toBe(0);
});

it('begins anew when the clock goes back', () => {
  expect(recordRate({ lastMs: 9000, samples: [1, 2] }, 3, 1000)).toEqual({ lastMs: 1000, samples: [3] });
});
