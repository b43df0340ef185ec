import { expect, it } from 'vitest';
import { nextStepSchema } from '#shared/transfer/next-step.ts';
import type { TransferReport } from '#shared/transfer/transfer-report.ts';
import { describeReport, groupReport, nextStepWords, writeReport } from './report-words.ts';

const line = {
  orderTitle: 'Fields',
  collectionId: 's2',
  itemId: 'scene',
  assetKey: 'B04',
  filePath: '/out/B04.tif',
  sizeBytes: 100,
};

const report: TransferReport = {
  downloadId: 1,
  title: 'Fields',
  destination: '/out',
  at: '2026-07-14T10:00:00Z',
  isSettled: true,
  verified: { count: 38, bytes: 3_200_000_000 },
  unverified: [{ ...line, verification: 'size-only', why: 'no-checksum' }],
  lost: [],
  failed: [
    {
      ...line,
      assetKey: 'B08',
      error: { code: 'link.gone', message: 'secret words', details: {}, retryable: false },
      nextStep: 'ask-provider',
    },
  ],
  waiting: [],
  cancelledCount: 0,
};

it('says honestly what became of an order', () => {
  expect(describeReport(report)).toBe(
    '38 files done and verified, 1 file done, not verifiable, 1 file failed.',
  );
  expect(groupReport(report).map(({ title }) => title)).toEqual(['Failed · 1', 'Done, not verifiable · 1']);
  expect(describeReport({ ...report, verified: { count: 0, bytes: 0 }, unverified: [], failed: [] })).toBe(
    'Nothing was ordered.',
  );
});

it('can be kept as text, with reason and next step of each failure', () => {
  const text = writeReport(report);
  expect(text).toContain('Download: Fields\nFolder: /out\nAs of: 14 July 2026, 10:00:00 UTC');
  expect(text).toContain('Verified: 38 files, 3.20 GB');
  expect(text).toMatch(/\nThe storage doesn’t have this file\. .*Ask the provider\.\n {2}- s2, scene, B08\n/);
  expect(text).toContain('\n  - s2, scene, B04: /out/B04.tif\n');
  expect(text).not.toContain('secret words');
});

it('names each file that is verified, with its size and where it is', () => {
  const brought = { ...line, receivedBytes: 63_400_000 };
  expect(writeReport(report, undefined, [brought])).toMatch(
    /\n\nDone and verified\n.*receipt\.json.*\n {2}- s2, scene, B04: \/out\/B04\.tif \(63\.4 MB\)\n$/,
  );
});

it('says of which order a file is where it is about all of them', () => {
  expect(groupReport(report)[0]?.fates[0]?.files[0]?.orderTitle).toBeNull();
  const ofAll = { ...report, downloadId: null, title: null, destination: null };
  expect(groupReport(ofAll)[0]?.fates[0]?.files[0]?.orderTitle).toBe('Fields');
  expect(writeReport(ofAll)).toContain('- s2, scene, B08 (Fields)\n');
});

it('says of each file what came of it, and once why', () => {
  const [failure] = report.failed;
  if (failure === undefined) throw new Error('Nothing failed');
  const failed = ['a', 'b'].map((assetKey) => {
    const details = { keptAs: `${assetKey}.bad` };
    return {
      ...failure,
      assetKey,
      error: { ...failure.error, details, code: 'transfer.checksum-mismatch' as const },
    };
  });
  const [group] = groupReport({ ...report, failed });
  expect(group?.fates).toHaveLength(1);
  expect(group?.fates[0]?.files.map(({ note }) => note)).toEqual([
    'What came is kept as a.bad',
    'What came is kept as b.bad',
  ]);
});

it('says once what many files have in common, the most of them first', () => {
  const [failure] = report.failed;
  if (failure === undefined) throw new Error('Nothing failed');
  const away = { ...failure, error: { ...failure.error, code: 'network.timeout' as const } };
  const failed = [failure, ...['B01', 'B02', 'B03'].map((assetKey) => ({ ...away, assetKey }))];
  const [group] = groupReport({ ...report, failed });
  expect(group?.fates.map(({ files }) => files.map(({ name }) => name))).toEqual([
    ['B01', 'B02', 'B03'],
    ['B08'],
  ]);
});

it('has words for every next step', () => {
  for (const step of nextStepSchema.options) expect(nextStepWords[step]).not.toBe('');
});
