import type { OfflineStage } from '#shared/offline/offline-job.ts';
import { createRateMeter } from '../downloads/limits/rate-meter.ts';
import type { OfflineProgress } from '../notebook/offline-job-store.ts';

/** How fast a job is, over the last seconds. */
export interface JobMeter {
  count(came: { count: number; bytes: number }, nowMs: number): void;
  bytesPerSecond(nowMs: number): number;
  /** Until the stage that a job is at is done; null where its size or the rate is not known. Milliseconds. */
  leftMs(progress: OfflineProgress, nowMs: number): number | null;
}

/** Begins to measure. */
export function createJobMeter(): JobMeter {
  const bytes = createRateMeter();
  const things = createRateMeter();
  return {
    count(came, nowMs) {
      bytes.count(came.bytes, nowMs);
      things.count(came.count, nowMs);
    },
    bytesPerSecond: (nowMs) => bytes.bytesPerSecond(nowMs),
    leftMs(progress, nowMs) {
      const left = countLeft[progress.stage](progress);
      const perSecond = things.bytesPerSecond(nowMs);
      return left === null || perSecond === 0 ? null : (left / perSecond) * 1000;
    },
  };
}

const countLeft: Record<OfflineStage, (progress: OfflineProgress) => number | null> = {
  items: ({ matched, itemCount }) => (matched === null ? null : Math.max(0, matched - itemCount)),
  pictures: ({ pictureTotal, pictureCount, pictureFailedCount }) =>
    pictureTotal - pictureCount - pictureFailedCount,
  files: ({ fileItemsLeft }) => fileItemsLeft,
  end: () => 0,
};
