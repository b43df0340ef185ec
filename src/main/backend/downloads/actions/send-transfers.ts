import type { TransferFilter } from '#shared/transfer/transfer-filter.ts';
import type { TransferState } from '#shared/transfer/transfer.ts';
import type { Disk } from '../file/disk.ts';
import type { Volumes } from '../file/volumes.ts';
import { checkDestination } from '../queue/check-destination.ts';
import { inSlices } from '../queue/in-slices.ts';
import type { QueueFile } from '../queue/queue-file.ts';
import { withoutFile } from '../queue/transfer-row.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { Timers } from '../tasks/timers.ts';

/** States in which a transfer's folder can be another: it has no file under a final name, and may get one. */
const sendable: readonly TransferState[] = [
  'queued',
  'preparing',
  'downloading',
  'verifying',
  'waiting',
  'paused',
  'failed',
];
// A drive that is gone for good may not even say so.
const longestLookMs = 5000;

/** Transfers that go to another folder now. */
export interface SentTransfers {
  transferIds: number[];
  /** How many begin anew, because what came of them is out of reach. */
  anewCount: number;
}

/** How transfers are sent. */
export interface SendOptions {
  destination: string;
  /** Does what it is given in one durable step. */
  inOneStep: <Result>(work: () => Result) => Promise<Result>;
  /** What else belongs to the step. */
  onSent: (transferIds: number[]) => void;
}

/**
 * Sends what of these is not done to another folder (downloads.md c.3), all in one durable step. Part files are brought by
 * the transfers themselves, each when its turn comes.
 * @throws AppError `input.invalid`, `transfer.destination-missing`, `transfer.destination-not-writable`
 */
export async function sendTransfers(
  parts: { queue: QueueFile; scheduler: Scheduler; volumes: Volumes; disk: Disk; timers: Timers },
  filter: TransferFilter,
  { destination, inOneStep, onSent }: SendOptions,
): Promise<SentTransfers> {
  const { queue, scheduler, volumes } = parts;
  const { transfers, destinations } = queue;
  const { slots } = scheduler;
  const path = await checkDestination(destination);
  await volumes.choose(path);
  const states = filter.states?.filter((state) => sendable.includes(state)) ?? sendable;

  async function send(which: TransferFilter): Promise<SentTransfers> {
    const unreachable = await findUnreachable(parts, transfers.idsOf(which));
    return inOneStep(() => {
      const transferIds = transfers.idsOf(which);
      const anew = transferIds.filter((transferId) => unreachable.has(transferId));
      // What runs is told to stop by the very step that changes its folder.
      for (const { row } of slots.runs())
        if (transferIds.includes(row.transferId)) scheduler.decide(row.transferId, 'interrupt');
      transfers.updateAll(anew, withoutFile);
      destinations.sendOrders(transferIds, path);
      destinations.sendParts(transferIds, path);
      if (transferIds.length > 0) onSent(transferIds);
      return { transferIds, anewCount: anew.length };
    });
  }

  // Nobody stops these; those that don't get their names after all come along, each by a step of its own. One step for all
  // would have to wait for them, and a drive that hangs, for which another folder is chosen, would keep all others there.
  const finalizing = transfers.idsOf({ ...filter, states: ['finalizing'] });
  const sent = await send({ ...filter, states: [...states] });
  for (const transferId of finalizing) {
    if (slots.runOf(transferId) === undefined) continue;
    await slots.hold(transferId, async () => {
      const late = await send({ transferIds: [transferId], states: [...states] });
      sent.transferIds.push(...late.transferIds);
      sent.anewCount += late.anewCount;
    });
  }
  return sent;
}

async function findUnreachable(
  { queue, scheduler, disk, timers }: Parameters<typeof sendTransfers>[0],
  transferIds: readonly number[],
): Promise<Set<number>> {
  const known = queue.parts
    .partPaths(transferIds)
    .filter(({ transferId }) => scheduler.slots.runOf(transferId) === undefined);
  const seen = new Set<number>();
  async function look({ transferId, partPath }: (typeof known)[number]): Promise<void> {
    const entry = await disk.lstat(partPath).catch(() => null);
    if (entry?.kind === 'file') seen.add(transferId);
  }
  const looks: Promise<void>[] = [];
  await inSlices(known, (slice) => void looks.push(...slice.map(look)));
  await withinTime(Promise.all(looks), timers);
  return new Set(known.map(({ transferId }) => transferId).filter((transferId) => !seen.has(transferId)));
}

async function withinTime(work: Promise<unknown>, timers: Timers): Promise<void> {
  let cancel = (): void => undefined;
  const isOver = new Promise<void>((resolve) => {
    cancel = timers.after(longestLookMs, resolve);
  });
  await Promise.race([work, isOver]);
  cancel();
}
