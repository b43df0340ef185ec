import { needsLogin } from '#shared/transfer/needs-login.ts';
import type { Clock } from '../../ports.ts';
import { isUnreachable } from '../limits/is-unreachable.ts';
import type { TransferRow } from '../queue/transfer-row.ts';
import type { TransferStore } from '../queue/transfer-store.ts';
import type { VolumeWaits } from './volume-waits.ts';

// A clock that steps back by more than this makes every stored time meaningless.
const clockStepMs = 30_000;

type IsMeant = (row: TransferRow) => boolean;

/** Transfers that wait, brought back into the queue. Throws what the store does. */
export interface WaitingTransfers {
  /** At once. */
  wake(isMeant: IsMeant): void;
  /** With the next look, and again with each until it could be written down. */
  wakeLater(isMeant: IsMeant): void;
  /** Looks for those whose time has come. */
  look(): void;
}

/** `wakeRow` brings one back, if it may be. */
export function createWaitingTransfers({
  store,
  clock,
  volumes,
  wakeRow,
}: {
  store: Pick<TransferStore, 'together' | 'rowsIn' | 'rowsDue' | 'nextResumeAtMs'>;
  clock: Clock;
  volumes: Pick<VolumeWaits, 'begin' | 'waits'>;
  wakeRow: (row: TransferRow) => void;
}): WaitingTransfers {
  let lastNowMs = clock.now();
  let later: IsMeant[] = [];

  function wake(isMeant: IsMeant): void {
    wakeAll(store.rowsIn('waiting').filter(isMeant));
  }

  // One step on disk: thousands may wait for the same.
  function wakeAll(rows: readonly TransferRow[]): void {
    store.together(() => rows.forEach(wakeRow));
  }

  return {
    wake,
    wakeLater: (isMeant) => void later.push(isMeant),
    look() {
      if (later.length > 0) wake((row) => later.some((isMeant) => isMeant(row)));
      later = [];
      const nowMs = clock.now();
      const hasSteppedBack = nowMs < lastNowMs - clockStepMs;
      lastNowMs = nowMs;
      const nextMs = store.nextResumeAtMs();
      if (nextMs === null || (nextMs > nowMs && !hasSteppedBack)) return;
      volumes.begin(hasSteppedBack ? Infinity : nowMs);
      if (hasSteppedBack) wake((row) => (row.resumeAtMs ?? 0) <= nowMs || !volumes.waits(row));
      else wakeAll(store.rowsDue(nowMs));
    },
  };
}

/** Whether it waits for the network: for its own sake, or because somebody has switched it off. */
export function waitsForNetwork({ error }: Pick<TransferRow, 'error'>): boolean {
  return error !== null && (error.code === 'network.switched-off' || isUnreachable(error));
}

/** Whether it waits for a login: at a catalog, or at the proxy on the way to all (null). */
export function waitsForLogin(
  { error, connectionId }: Pick<TransferRow, 'error' | 'connectionId'>,
  catalogId: string | null,
): boolean {
  if (error === null || !needsLogin(error)) return false;
  const isProxy = error.code === 'network.proxy';
  return catalogId === null ? isProxy : !isProxy && connectionId === catalogId;
}
