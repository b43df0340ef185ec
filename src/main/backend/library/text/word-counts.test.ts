import { expect, it } from 'vitest';
import { WordCounts } from './word-counts.ts';

it('counts a word that comes often, and takes hardly any other of a million for one', () => {
  const counts = new WordCounts();
  let wrong = 0;
  for (let number = 0; number < 1_000_000; number++) {
    if (number % 1000 === 0) counts.add('tile');
    if (counts.add(number.toString(36).padStart(7, '0')) >= 50) wrong += 1;
  }
  expect(counts.add('tile')).toBe(255);
  expect(wrong).toBeLessThan(1000);
});

it('does not take rare words for frequent ones, however many come', () => {
  const counts = new WordCounts();
  let most = 0;
  for (let number = 0; number < 12_000_000; number++) most = Math.max(most, counts.add(`x${String(number)}`));
  expect(most).toBeLessThan(50);
});
