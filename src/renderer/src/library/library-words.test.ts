import { describe, expect, it } from 'vitest';
import type { TakenJob } from '#shared/offline/offline-job.ts';
import { describeCame, describeLosses, describePace, describeState, fractionOf } from './job-words.ts';
import { describeCompleteness, describeFetches } from './library-words.ts';
import { describeFilesSize, filesOf, sumUp } from './offline-sizes.ts';

const now = new Date('2026-11-20T15:00:00Z');
const job: TakenJob = {
  jobId: 1,
  name: 'Alps',
  outline: { query: {}, place: null, localFilter: null, key: 'a' },
  hasPictures: true,
  destination: null,
  state: 'running',
  stage: 'items',
  error: null,
  itemCount: 1200,
  matched: 4000,
  missedCount: 0,
  pictureCount: 0,
  pictureTotal: 1100,
  pictureFailedCount: 0,
  fileCount: 0,
  fileFailedCount: 0,
  fileItemsLeft: 0,
  receivedBytes: 5_000_000,
  bytesPerSecond: 250_000,
  leftMs: 90_000,
  startedAt: '2026-11-20T14:00:00Z',
  finishedAt: null,
  searchNumber: 1,
  evictedCount: 0,
};

describe('a job', () => {
  it('says how much came, of how much', () => {
    expect(describeCame(job)).toBe('1,200 of about 4,000 items · 5.00 MB');
    const later = { ...job, stage: 'pictures' as const, itemCount: 4000, pictureCount: 550 };
    expect(describeCame(later)).toBe('4,000 items · 550 of 1,100 pictures · 5.00 MB');
  });

  it('says how fast it is only while it runs', () => {
    expect(describePace(job)).toBe('250 kB/s · about 2 min left for items');
    expect(describePace({ ...job, state: 'waiting' })).toBe('');
  });

  it('gets on without ever going back', () => {
    const steps = [
      job,
      { ...job, itemCount: 4000 },
      { ...job, stage: 'pictures' as const, pictureCount: 10 },
      { ...job, stage: 'pictures' as const, pictureCount: 1099, pictureFailedCount: 1 },
      { ...job, stage: 'end' as const },
    ].map((step) => fractionOf(step) ?? NaN);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(steps.at(-1)).toBe(1);
    expect(fractionOf({ ...job, matched: null })).toBeNull();
    expect(fractionOf({ ...job, matched: null, state: 'failed' })).toBe(0);
  });

  it('says what could not be had', () => {
    expect(describeLosses(job)).toEqual([]);
    expect(describeLosses({ ...job, pictureFailedCount: 2 })).toEqual(['2 pictures could not be had']);
  });

  it('is no longer whole once items were evicted', () => {
    const done = { ...job, state: 'done' as const, stage: 'end' as const, itemCount: 200 };
    expect([describeState(done), fractionOf(done)]).toEqual(['Here', 1]);
    const evicted = { ...done, evictedCount: 150 };
    expect([describeState(evicted), fractionOf(evicted)]).toEqual(['Not all here any more', 0.25]);
    expect(describeLosses(evicted)).toEqual(['150 items were evicted to keep the limits']);
  });
});

describe('how much it would be', () => {
  const estimate = { itemCount: 1000, sampleCount: 100 };
  const total = {
    itemCount: 100,
    withoutCount: 0,
    fileCount: 200,
    knownBytes: 1_000_000,
    unknownCount: 100,
    directoryCount: 0,
    unsupportedCount: 0,
    chosenKeys: [],
    chosenKeyCount: 0,
    idlePatterns: [],
  };

  it('takes all items to be like those that were looked at, and counts unknown sizes apart', () => {
    const files = filesOf(estimate, total);
    expect(files).toEqual({ count: 2000, knownBytes: 10_000_000, unknownCount: 1000 });
    expect(files && describeFilesSize(files)[1]).toBe('10.0 MB and 1,000 files of unknown size');
    expect(filesOf({ ...estimate, itemCount: null }, total)).toBeNull();
  });

  it('is summed up in a line', () => {
    const items = { count: 1000, bytes: 4_000_000, durationMs: 10_000 };
    const pictures = { count: 900, bytes: 20_000_000, durationMs: 110_000 };
    expect(sumUp({ items, pictures, files: null })).toBe('1,000 items · about 24.0 MB · about 2 min');
    expect(sumUp({ items, pictures: { ...pictures, bytes: null }, files: null })).toContain(
      'more than 4.00 MB',
    );
    expect(sumUp({ items: null, pictures: null, files: null })).toBe('');
  });
});

it('tells when something was fetched, and what is known of whether it is all', () => {
  const fetches = { oldestFetch: '2026-03-03T10:00:00Z', newestFetch: '2026-11-20T14:02:00Z' };
  expect(describeFetches(fetches, now)).toBe('Fetched from 3 March 2026 to today, 14:02 UTC');
  expect(describeCompleteness('2026-11-20T14:02:00Z', now)).toBe('Complete as of today, 14:02 UTC');
  expect(describeCompleteness(null, now)).toBe('What was seen; not known to be all there is');
});
