import { expect, it } from 'vitest';
import type { OfflineJob } from '#shared/offline/offline-job.ts';
import { describeJobEnd } from './describe-job-end.ts';

const done: OfflineJob = {
  jobId: 1,
  name: 'Alps',
  outline: { query: {}, localFilter: null, place: null, key: '' },
  hasPictures: true,
  destination: null,
  state: 'done',
  stage: 'end',
  error: null,
  itemCount: 183,
  matched: 183,
  missedCount: 0,
  pictureCount: 183,
  pictureTotal: 183,
  pictureFailedCount: 0,
  fileCount: 0,
  fileFailedCount: 0,
  fileItemsLeft: 0,
  receivedBytes: 1,
  bytesPerSecond: 0,
  leftMs: null,
  startedAt: '2026-11-23T10:00:00.000Z',
  finishedAt: '2026-11-23T10:01:00.000Z',
  searchNumber: 1,
};
const endless = {
  code: 'stac.invalid-response' as const,
  message: 'No end',
  details: { expected: 'a last page', found: 'pages without end' },
  retryable: false,
};

it('tells a job that brought everything from one that did not', () => {
  expect(describeJobEnd(done)).toEqual({ tone: 'ok', text: '“Alps” is here, with no network too' });
  expect(describeJobEnd({ ...done, pictureCount: 32, pictureFailedCount: 151 })).toEqual({
    tone: 'bad',
    text: '“Alps” is here in part',
    hint: 'But 151 pictures could not be had. “Show” leads to where it can be tried again.',
  });
});

it('says why a job failed, and whether what came is here all the same', () => {
  const failed = { ...done, state: 'failed' as const, error: endless };
  expect(describeJobEnd(failed)).toMatchObject({ tone: 'bad', text: '“Alps” is here in part' });
  expect(describeJobEnd(failed).hint).toContain('pages without end');
  expect(describeJobEnd({ ...failed, missedCount: 1 }).hint).toMatch(
    /pages without end .* And 1 item could not be read\.$/,
  );
  expect(describeJobEnd({ ...failed, stage: 'items' })).toMatchObject({
    text: '“Alps” could not be taken offline',
  });
});
