import { AppError } from '#shared/errors/app-error.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { StacItem } from '#shared/stac/item.ts';
import { nextState, type TransferEvent } from '#shared/transfer/next-state.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Clock, Logger } from '../ports.ts';
import type { Cooldowns } from './cooldowns.ts';
import type { ResolveCatalogLink } from './downloads.ts';
import { createRateMeter } from './rate-meter.ts';
import type { SerialTasks } from './serial-tasks.ts';
import type { Timers } from './timers.ts';
import type { RowChanges, TransferRow } from './transfer-row.ts';
import type { TransferStore } from './transfer-store.ts';

/** What a run works with. */
export interface RunParts {
  store: TransferStore;
  http: HttpClient;
  resolveLink: ResolveCatalogLink;
  loadCollection: (collectionId: string, connectionId: string) => Promise<StacCollection>;
  clock: Clock;
  timers: Timers;
  logger: Logger;
  appVersion: string;
  tasks: SerialTasks;
  cooldowns: Cooldowns;
  /** Told of every change of a transfer. */
  onChange: (transferId: number) => void;
}

/** One attempt to bring a transfer on, from when it gets a slot until it gives it back. */
export interface TransferRun {
  readonly parts: RunParts;
  readonly row: Readonly<TransferRow>;
  readonly item: StacItem;
  /** Aborted when somebody else has decided about the transfer's state. */
  readonly signal: AbortSignal;
  /** Bytes in hand now, and how fast they come. */
  readonly receivedBytes: number;
  bytesPerSecond(nowMs: number): number;
  setReceived(bytes: number): void;
  countReceived(bytes: number): void;
  /** Writes facts down. */
  update(changes: RowChanges): void;
  /** Changes the state by an event, with facts, in one durable step. @throws AppError `cancelled`, `internal` */
  apply(event: TransferEvent, changes?: RowChanges): void;
  stop(): void;
}

/** Begins a run of a row that has got a slot. */
export function createRun(row: TransferRow, parts: RunParts): TransferRun {
  const current = { ...row };
  const controller = new AbortController();
  const meter = createRateMeter(parts.clock.now());
  let receivedBytes = row.durableBytes;

  function update(changes: RowChanges): void {
    parts.store.update(row.transferId, changes);
    Object.assign(current, changes);
    parts.onChange(row.transferId);
  }

  return {
    parts,
    row: current,
    // Read when needed: a row that can't be read must fail by itself and not stop the queue.
    get item() {
      return parts.store.itemOf(row.transferId);
    },
    signal: controller.signal,
    get receivedBytes() {
      return receivedBytes;
    },
    bytesPerSecond: (nowMs) => meter.bytesPerSecond(nowMs),
    setReceived: (bytes) => void (receivedBytes = bytes),
    countReceived(bytes) {
      meter.count(bytes, parts.clock.now());
      parts.onChange(row.transferId);
    },
    update,
    apply(event, changes = {}) {
      if (controller.signal.aborted) throw new AppError('cancelled', 'The transfer was stopped');
      const state = nextState(current.state, event);
      if (state === null)
        throw new AppError('internal', `"${event}" means nothing to a ${current.state} transfer`);
      update({ ...changes, state });
    },
    stop: () => controller.abort(),
  };
}
