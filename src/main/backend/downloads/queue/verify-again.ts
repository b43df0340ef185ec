import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import type { TransferFilter } from '#shared/transfer/transfer-filter.ts';
import type { Clock } from '../../ports.ts';
import type { VerifyResult } from '../downloads.ts';
import { isNotThere } from '../file/disk-error.ts';
import { verifyFile } from '../file/verify-file.ts';
import type { Volumes } from '../file/volumes.ts';
import type { LazyWrites } from './lazy-writes.ts';
import type { TransferRow } from './transfer-row.ts';
import type { TransferStore } from './transfer-store.ts';

/** How checking goes on. */
export interface VerifyOptions {
  signal: AbortSignal;
  onProgress: (progress: { totalCount: number; doneCount: number; results: VerifyResult[] }) => void;
}

/**
 * Reads files of transfers that are done again, one after the other, and notes what is wrong with them.
 * @throws AppError `cancelled`
 */
export async function verifyAgain(
  parts: {
    store: TransferStore;
    lazy: LazyWrites;
    volumes: Pick<Volumes, 'isDriveThere'>;
    clock: Clock;
    onChange: (transferId: number) => void;
  },
  filter: TransferFilter,
  { signal, onProgress }: VerifyOptions,
): Promise<void> {
  const { store, lazy, volumes, clock, onChange } = parts;
  const states = filter.states?.filter((state) => state === 'done') ?? ['done' as const];
  const transferIds = store.idsOf({ ...filter, states });
  const totalCount = transferIds.length;
  let doneCount = 0;
  onProgress({ totalCount, doneCount, results: [] });
  try {
    for (const transferId of transferIds) {
      if (signal.aborted) throw new AppError('cancelled', 'The check was stopped');
      const row = store.row(transferId);
      doneCount += 1;
      if (row?.state !== 'done') continue;
      const seen = await lookAt(row, signal);
      // The mount point of a drive that was unplugged is an empty folder.
      const isAway = seen === 'missing' && !(await volumes.isDriveThere(row.destination));
      const result = isAway ? 'unreadable' : seen;
      // A file that can't be read now may be whole; nothing is known of it.
      if (result !== 'unreadable') {
        const finding = result === 'ok' ? null : result;
        lazy.write(() => store.update(transferId, { finding, checkedAtMs: clock.now() }));
        onChange(transferId);
      }
      onProgress({ totalCount, doneCount, results: [{ transferId, result }] });
    }
  } finally {
    await lazy.settle();
  }
}

async function lookAt(row: TransferRow, signal: AbortSignal): Promise<VerifyResult['result']> {
  const { filePath: path, totalBytes, durableBytes, digest, announcedBytes, announcedChecksum } = row;
  if (path === null) return 'missing';
  try {
    await stat(path);
    const expected = { mediaType: row.mediaType, fileName: basename(path) };
    // What it was when it came says more than what the catalog announced: it is known of every file.
    const known = totalBytes ?? durableBytes;
    const checksum = digest ?? announcedChecksum;
    const file = await verifyFile({
      path,
      announcedBytes: digest === null ? announcedBytes : known,
      announcedChecksum: checksum,
      totalBytes: known,
      expected,
      signal,
    });
    return file.sizeBytes === known ? 'ok' : 'changed';
  } catch (error) {
    return judgeFailure(error);
  }
}

function judgeFailure(error: unknown): VerifyResult['result'] {
  if (isAppError(error, 'cancelled')) throw error;
  if (isNotThere(error)) return 'missing';
  const isProved =
    isAppError(error, 'transfer.size-mismatch') ||
    isAppError(error, 'transfer.checksum-mismatch') ||
    isAppError(error, 'transfer.wrong-content');
  return isProved ? 'changed' : 'unreadable';
}
