import { expect, it } from 'vitest';
import type { DownloadRule } from '#shared/transfer/download-rule.ts';
import { describeRun } from './describe-rule.ts';
import { draftOf, readDraft } from './rule-draft.ts';

const rule: DownloadRule = {
  savedSearchId: 1,
  isOn: true,
  lastRun: null,
  choice: { keys: ['visual', 'a, b'], roles: ['data'], bands: ['nir'], pattern: 'B0*', exceptKeys: [] },
  destination: '/images',
  links: 'auto',
  maxFiles: 50,
  maxBytes: 2_500_000_000,
  everyHours: 24,
};
const options = { before: rule, destination: '/images', links: 'auto' } as const;

it('keeps what a rule chooses when it is looked at and saved again', () => {
  const draft = draftOf(rule);
  expect(draft).toMatchObject({ names: 'visual, B0*', roles: 'data', maxGigabytes: '2.5', every: '24' });
  expect(readDraft(draft, options)).toMatchObject({
    terms: {
      choice: { keys: ['a, b'], roles: ['data'], bands: ['nir'], pattern: 'visual, B0*' },
      maxFiles: 50,
      maxBytes: 2_500_000_000,
      everyHours: 24,
    },
  });
});

it('says at which field something is wrong', () => {
  const draft = { ...draftOf(null), names: 'visual' };
  const read = (changes: object) => readDraft({ ...draft, ...changes }, { ...options, before: null });
  expect(read({})).toMatchObject({ terms: { maxFiles: 100, maxBytes: 20_000_000_000 } });
  expect(read({ names: ' ' })).toMatchObject({ field: 'names' });
  expect(read({ maxFiles: '0' })).toMatchObject({ field: 'maxFiles' });
  expect(read({ maxGigabytes: 'many' })).toMatchObject({ field: 'maxGigabytes' });
  expect(read({ maxGigabytes: '' })).toMatchObject({ terms: { maxBytes: null } });
});

it('tells what the last run did', () => {
  const run = {
    at: '2026-11-03T10:00:00Z',
    isFirst: false,
    itemCount: 5,
    fileCount: 8,
    knownBytes: 3e9,
    downloadId: 4,
    leftCount: 1,
    tooLargeCount: 0,
    error: null,
  };
  const now = new Date('2026-11-20T00:00:00Z');
  expect(describeRun(run, now)).toBe(
    '8 files queued 3 Nov, 3.00 GB announced; 1 item left for the next run.',
  );
  expect(describeRun({ ...run, isFirst: true }, now)).toContain('Took note of 5 items');
});
