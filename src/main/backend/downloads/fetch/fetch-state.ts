import type { PartFile } from '../file/part-file.ts';
import type { TransferRun } from '../run/transfer-run.ts';
import type { RangesOfFile } from './fetch-ranges.ts';
import type { LinkLadder } from './link-ladder.ts';
import type { Overlap } from './overlap.ts';

/** What one run has learned about its source; forgotten with it. */
export interface Fetch {
  run: TransferRun;
  part: PartFile;
  /** What was there when the run began. */
  startBytes: number;
  ladder: LinkLadder;
  overlap: Overlap;
  usesRange: boolean;
  usesIfRange: boolean;
  wrongRanges: number;
  walkBackCount: number;
  /** Whether the first stretch came, so that it is known whether other connections help. */
  hasFirst: boolean;
  /** The file over several connections, while the body at its prefix comes. */
  ranges: RangesOfFile | null;
  /** Whether a page came where a file should be. */
  hasSeenPage: boolean;
}

/** Names a transfer in the log. */
export function factsOf({ row }: TransferRun) {
  const { transferId, collectionId, itemId, assetKey } = row;
  return { transferId, collectionId, itemId, assetKey };
}
