import { expect, test } from 'vitest';
import { describePicks } from './describe-picks.ts';

test('says how many a box has picked, and how many were picked before', () => {
  expect(describePicks(24, 24)).toBe('24 picked.');
  expect(describePicks(1200, 1180)).toBe('1,180 picked, 20 were before.');
  expect(describePicks(3, 0)).toBe('3 in this box, all picked before.');
  expect(describePicks(0, 0)).toBe('No footprints in this box.');
});
