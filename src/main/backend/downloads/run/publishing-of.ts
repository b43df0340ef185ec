import type { PublishOptions } from '../file/publish.ts';
import type { TransferRun } from './transfer-run.ts';

/** How a run names and deletes files: on its disk, in its time, until it is stopped. */
export function publishingOf({ parts: { disk, timers }, signal }: TransferRun): PublishOptions {
  return { disk, timers, signal };
}
