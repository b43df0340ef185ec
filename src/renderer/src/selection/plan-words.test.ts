import { expect, it } from 'vitest';
import type { OrderPlan } from '#shared/transfer/download-order.ts';
import { describeItems, describeOrdered, describePlan, listPlanLines } from './plan-words.ts';

const plan: OrderPlan = {
  itemCount: 3,
  fileCount: 12,
  knownBytes: 2_310_000_000,
  unknownCount: 2,
  thereCount: 0,
  thereBytes: 0,
  queuedCount: 0,
  problemCount: 0,
  problems: [],
  space: null,
};

it('says how much would be fetched, unknown sizes apart', () => {
  expect(describePlan(plan)).toBe('12 files, 2.31 GB + 2 unknown');
  expect(describePlan({ ...plan, fileCount: 0 })).toBe('Nothing to fetch');
});

it('says before what does not fit, with what the queue was promised', () => {
  const space = {
    freeBytes: 3_000_000_000,
    promisedBytes: 1_500_000_000,
    promisedUnknownCount: 0,
    leftBytes: -810_000_000,
  };
  expect(listPlanLines({ ...plan, space })).toEqual([
    {
      text: 'Not enough room: at least 810 MB missing, with the 1.50 GB that the queue is to bring, as some stays free for other programs. What doesn’t fit waits for space.',
      tone: 'bad',
    },
  ]);
});

it('says what stays free when all of it is there', () => {
  const space = { freeBytes: 9e9, promisedBytes: 1.5e9, promisedUnknownCount: 0, leftBytes: 5.12e9 };
  const { text } = listPlanLines({ ...plan, space })[0] ?? {};
  expect(text).toBe(
    '5.19 GB stay free after it, with the 1.50 GB that the queue is to bring. 2 of unknown size are not counted.',
  );
});

it('says before what is too much for one order', () => {
  expect(listPlanLines({ ...plan, fileCount: 10_000 })).toEqual([]);
  expect(listPlanLines({ ...plan, fileCount: 10_001 })).toEqual([
    { text: 'One order takes at most 10,000 files. Choose fewer items or assets.', tone: 'bad' },
  ]);
});

it('says what is there, on its way, or can’t be had', () => {
  const lines = listPlanLines({ ...plan, thereCount: 1, thereBytes: 1000, queuedCount: 2, problemCount: 1 });
  expect(lines.map(({ text }) => text)).toEqual([
    '1 file (1.00 kB) is there already and not fetched again.',
    '2 files for this folder are on the list already: taken over into this order, which goes on with what is paused.',
    '1 file can’t be ordered and is left out.',
  ]);
});

it('says what was queued, and what of it was on its way or there before', () => {
  expect(describeOrdered({ fileCount: 12, thereCount: 0 }, 0)).toEqual({ text: '12 files queued', hint: '' });
  expect(describeOrdered({ fileCount: 12, thereCount: 1 }, 5)).toEqual({
    text: '12 files queued',
    hint: '5 of them on the list before. 1 further file there already.',
  });
  expect(describeOrdered(null, 0).text).toBe('Nothing was ordered');
});

it('says of an answer that is here in part that it is', () => {
  expect(describeItems(1000, true)).toContain('the 1,000 items here. More of the answer has not come yet');
  expect(describeItems(1000, false)).not.toContain('answer');
});
