import { AppError } from '#shared/errors/app-error.ts';
import { chunkBytes, type Durable } from '../file/chunk.ts';
import { isProof } from '../file/multihash.ts';
import { openPartFile, type PartFile } from '../file/part-file.ts';
import { smallBytes } from '../file/part-trail.ts';
import type { TransferRun } from './transfer-run.ts';

// A transfer that has come this far since has not failed for nothing.
const progressBytes = 1024 * 1024;
// In one destination, and so on one volume: file systems write several down in one go, and more would keep reads and writes waiting.
const syncsAtOnce = 4;

/**
 * Opens the part file of a run: journalled together with those of the other runs, synced a few at a time a destination, and
 * hashed behind its writer. `onProgress` is called when enough came for patience to begin anew. One that is put right is
 * opened as it is.
 * @throws AppError `transfer.*`
 */
export async function openRunPart(
  run: TransferRun,
  { onProgress = () => undefined, isRepair = false }: { onProgress?: () => void; isRepair?: boolean } = {},
): Promise<PartFile> {
  const { parts, row, trail } = run;
  const { partPath, transferId } = row;
  if (partPath === null) {
    throw new AppError('internal', 'A transfer without a part file has nowhere to write');
  }
  // Of one that was made a moment ago nothing is known.
  const file = run.takeNewPart();

  function note({ durableBytes }: Durable): void {
    const before = row.progressBytes;
    if (durableBytes < before) {
      run.update({ durableBytes, progressBytes: durableBytes });
    } else if (durableBytes < before + progressBytes) {
      run.update({ durableBytes });
    } else {
      onProgress();
      const progressAtMs = parts.clock.now();
      run.update({ durableBytes, progressBytes: durableBytes, progressAtMs, attempts: 0, deaths: 0 });
    }
  }

  return openPartFile({
    path: partPath,
    file,
    durableBytes: row.durableBytes,
    crcs: parts.partStore.chunkCrcs(transferId),
    needsCrcs: () => needsCrcs(run),
    isProvable: isProof(row.announcedChecksum),
    isTrusted: isRepair,
    clock: parts.clock,
    disk: parts.disk,
    ...(isRepair ? {} : { trail, islands: file === null ? parts.partStore.islands(transferId) : [] }),
    syncInTurn: (sync) => parts.tasks.run(`sync ${row.destination} ${transferId % syncsAtOnce}`, sync),
    async onDurable(durable, urgency) {
      const isLess = durable.durableBytes < row.durableBytes;
      await parts.journal.write({ transferId, durable, apply: () => note(durable) }, urgency);
      // Before the bytes go: the journal may never know of more than there is.
      if (isLess) await run.settle();
    },
    ...(parts.partSizes === undefined ? {} : { sizes: parts.partSizes }),
  });
}

// What is proved as a whole at its end is journalled without them where it is small, since all of it would be fetched anew,
// or comes so fast that to fetch it anew takes no longer than to compute them.
function needsCrcs({ row, parts }: TransferRun): boolean {
  const { totalBytes, announcedBytes, announcedChecksum } = row;
  if (!isProof(announcedChecksum)) return true;
  const mostBytes = Math.min(smallBytes, parts.partSizes?.chunkBytes ?? chunkBytes);
  const isSmall = (totalBytes ?? announcedBytes ?? Infinity) <= mostBytes;
  return !isSmall && !parts.hurry.isHurried;
}
