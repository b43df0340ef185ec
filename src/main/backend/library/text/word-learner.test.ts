import { expect, it } from 'vitest';
import { WordLearner } from './word-learner.ts';

it('offers words of few kinds at once, and each of them once', () => {
  const { learner, offered } = createLearner();
  learner.learn('S2B_31UFS_20260103T105021_L2A sentinel-2b Höhe');
  learner.learn('S2B_32TMT_20260103T105021_L2A sentinel-2b Höhe');
  expect(offered).toEqual(['S2B', '31UFS', 'L2A', 'sentinel', '2b', 'Höhe', '32TMT']);
});

it('offers all again once it forgot', () => {
  const { learner, offered } = createLearner();
  learner.learn('rtc');
  learner.clear();
  learner.learn('rtc');
  expect(offered).toEqual(['rtc', 'rtc']);
});

it('offers a word of any kind that comes often, and hardly any other of a million', () => {
  const { learner, offered } = createLearner();
  for (let number = 0; number < 1_000_000; number++) {
    if (number % 1000 === 0) learner.learn('20260103T105021');
    learner.learn(`x${number.toString(36).padStart(7, '0')}1`);
  }
  expect(offered).toContain('20260103T105021');
  expect(offered.length).toBeLessThan(1000);
});

it('does not take rare words for frequent ones, however many come', () => {
  const { learner, offered } = createLearner();
  for (let number = 0; number < 5_000_000; number++) learner.learn(`x${String(number + 1e8)}`);
  expect(offered).toEqual([]);
});

function createLearner() {
  const offered: string[] = [];
  return { offered, learner: new WordLearner((word) => void offered.push(word)) };
}
