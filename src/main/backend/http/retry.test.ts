import { expect, it } from 'vitest';
import { retryAfterMs } from './retry.ts';

const date = 'Wed, 21 Oct 2026 07:28:00 GMT';

it.each([
  ['120', 120_000],
  ['0', 0],
  ['0.5', 500],
  ['Wed, 21 Oct 2026 07:30:00 GMT', 120_000],
  ['Wednesday, 21-Oct-26 07:30:00 GMT', 120_000],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
  // No wish at all: what it is taken for must not be a moment.
  ['-5', null],
  ['soon', null],
  ['1e9', null],
  ['2026', 2_026_000],
  ['', null],
])('takes Retry-After: %s for %j milliseconds', (value, waitMs) => {
  expect(retryAfterMs({ 'retry-after': value, date }, Date.parse('2000-01-01'))).toBe(waitMs);
});
