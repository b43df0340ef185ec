import type { ErrorData } from '#shared/errors/app-error.ts';
import type { RecoveredCounts } from './recover-library.ts';

/** What became of a damaged library. */
export interface RecoveryStatus {
  /** Where the damaged file lies. */
  damagedPath: string;
  /** When it was met, in milliseconds since 1970. */
  atMs: number;
  /** From 0 to 1; at 1 all that could be read is in the new library. */
  fraction: number;
  counts: RecoveredCounts;
  /** Items of which only a trace was left. */
  lostItemCount: number;
}

/** How a library does. */
export interface LibraryStatus {
  /** Where its file belongs. */
  filePath: string;
  /** Whether what comes is kept beyond this run: not where the folder can't be written to, or isn't there. */
  isKept: boolean;
  /** Why the last thing could not be written; null once something could. */
  writeProblem: ErrorData | null;
  recovery: RecoveryStatus | null;
}
