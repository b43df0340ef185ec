import type { LiveRun } from './live-run.ts';

type Flowing = Pick<LiveRun, 'row' | 'receivedBytes' | 'pace' | 'quietSinceMs'>;

/** A bandwidth limit in bytes per second, how fast all files come together, and how many come. */
interface Limited {
  limit: number | null;
  bytesPerSecond: number;
  count: number;
}

/** What each file has of a limit that they use up, in bytes per second; null where something else holds them. */
export function tellShare({ limit, bytesPerSecond, count }: Limited): number | null {
  return limit !== null && count > 0 && bytesPerSecond >= 0.9 * limit ? limit / count : null;
}

/**
 * How long the one takes that will take longest of those that come now, in seconds: one slow file may take longer than all
 * others together. A file that has its `share` of a limit will come faster once others are there, and is not counted.
 */
export function tellLongest(
  runs: readonly Flowing[],
  { share, nowMs }: { share: number | null; nowMs: number },
): number {
  const seconds = runs.map((run) => {
    const pace = run.pace(nowMs);
    // Who says nothing is asked anew, and its pace tells nothing.
    if (run.quietSinceMs !== null || pace <= 0 || (share !== null && pace >= 0.7 * share)) return 0;
    const totalBytes = run.row.totalBytes ?? run.row.announcedBytes ?? 0;
    return Math.max(0, totalBytes - run.receivedBytes) / pace;
  });
  return Math.max(0, ...seconds);
}
