import type { BroughtFile } from '#shared/transfer/transfer-history.ts';
import { findFile } from './find-brought.ts';
import type { HistoryRow } from './history-store.ts';

/** The last file of each asset, of what was brought of an Item (newest first), and whether it is still there. */
export function listBrought(history: readonly HistoryRow[]): Promise<BroughtFile[]> {
  const newest = new Map(history.toReversed().map((row) => [row.assetKey, row]));
  return Promise.all(
    [...newest.values()].map(async ({ assetKey, filePath, sizeBytes, verification, finishedAtMs }) => ({
      assetKey,
      filePath,
      sizeBytes,
      verification,
      finishedAt: new Date(finishedAtMs).toISOString(),
      isThere: (await findFile(filePath, sizeBytes)) !== null,
    })),
  );
}
