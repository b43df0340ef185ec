import { expect, it } from 'vitest';
import { SeenKeys } from './seen-keys.ts';

it('tells what came before, however much came between', () => {
  const seen = new SeenKeys();
  const keys = Array.from({ length: 10_000 }, (_, number) => `sentinel-2-l2a\nS2B_${String(number)}`);
  for (const key of keys) expect(seen.add(key)).toBe(true);
  for (const key of keys) expect(seen.add(key)).toBe(false);
  expect(seen.add('sentinel-2-l2a\nS2B_10000')).toBe(true);
});
