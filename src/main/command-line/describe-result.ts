import type { ErrorData } from '#shared/errors/app-error.ts';
import type { Transfer, Verification } from '#shared/transfer/transfer.ts';

/** What became of one asset, for scripts. */
export interface FileResult {
  asset: string;
  state: Transfer['state'];
  /** Where the file is, when it is done. */
  path: string | null;
  sizeBytes: number | null;
  verification: Verification | null;
  error: ErrorData | null;
}

const proofs: Record<Verification, string> = {
  checksum: 'verified by its checksum',
  'size-only': 'not verified beyond its size: the catalog gives no checksum',
  none: 'not verified: the catalog gives neither size nor checksum',
};

/** What became of one asset, for scripts and as a sentence. */
export function describeResult(transfer: Transfer): { file: FileResult; sentence: string } {
  const { assetKey, state, filePath, receivedBytes, totalBytes, verification, error } = transfer;
  const isDone = state === 'done';
  const sizeBytes = totalBytes ?? (isDone ? receivedBytes : null);
  const file = { asset: assetKey, state, path: isDone ? filePath : null, sizeBytes, verification, error };
  const outcome = isDone ? proofs[verification ?? 'none'] : (error?.message ?? state);
  return { file, sentence: `${assetKey}: ${outcome}` };
}
