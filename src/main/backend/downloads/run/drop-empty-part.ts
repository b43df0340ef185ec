import { deletePart } from '../file/part-note.ts';
import { lookAt } from '../file/publish.ts';
import type { TransferRun } from './transfer-run.ts';

/** Leaves no empty part file of a run that has failed: it would be one more thing to wonder about. @throws AppError `transfer.*` */
export async function dropEmptyPart(run: TransferRun): Promise<void> {
  const { state, partPath } = run.row;
  const { disk, timers } = run.parts;
  if (state !== 'failed' || partPath === null) return;
  const found = await lookAt(partPath, disk);
  if (found?.kind !== 'file' || found.sizeBytes > 0) return;
  await deletePart(partPath, { disk, timers });
  run.update({ partPath: null });
}
