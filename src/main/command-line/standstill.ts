import { needsLogin } from '#shared/transfer/needs-login.ts';
import type { QueueStatus } from '#shared/transfer/queue-status.ts';
import { isSettled, type Transfer } from '#shared/transfer/transfer.ts';
import { AppError, type ErrorData } from '#shared/errors/app-error.ts';

/** Notices that nothing has come home for a while. */
export interface Standstill {
  update(changed: readonly Transfer[], hold?: QueueStatus['hold']): void;
  /** Aborts when it is time to give up; its reason is the AppError that the transfers wait for. */
  signal: AbortSignal;
  stop(): void;
}

/**
 * Watches for `patienceMs` without a new byte while a transfer waits for whatever: the network, a server that fails, says
 * nothing or answers nonsense, the disk or a login. A window waits for ever and a person looks at it; a script has to be
 * told. Being asked to wait (429, 503) is no standstill, unless for longer than that.
 */
export function createStandstill(patienceMs: number): Standstill {
  const abort = new AbortController();
  const transfers = new Map<number, Transfer>();
  let mostBytes = 0;
  let timer: NodeJS.Timeout | null = null;
  /** What they wait for by now: the first word may have been said before more was known. */
  let latest: ErrorData | null = null;

  const stop = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    latest = null;
  };

  const waitFor = (error: ErrorData): void => {
    // Of one that is prepared once more nothing is known: what it waited for before says more.
    if (latest === null || error !== noLink) latest = error;
    timer ??= setTimeout(() => abort.abort(AppError.fromData(latest ?? error)), patienceMs);
  };

  return {
    signal: abort.signal,
    stop,
    update(changed, hold = null) {
      for (const one of changed) transfers.set(one.transferId, one);
      const all = [...transfers.values()];
      const bytes = all.reduce((sum, { receivedBytes }) => sum + receivedBytes, 0);
      const isMoving = bytes > mostBytes || all.some(({ state }) => state === 'verifying');
      mostBytes = Math.max(mostBytes, bytes);
      if (isMoving || all.every(({ state }) => isSettled(state))) stop();
      // The state goes to and fro with every attempt; only bytes stop the clock.
      const error = findStuck(all, patienceMs) ?? ofQueue(hold);
      const open = all.filter(({ state }) => !isSettled(state));
      // Nobody is there to log in.
      if (error && open.every(isLocked)) abort.abort(AppError.fromData(error));
      if (error) waitFor(error);
    },
  };
}

function findStuck(transfers: readonly Transfer[], patienceMs: number): ErrorData | null {
  const waiting = transfers.find((one) => isStuck(one, patienceMs))?.waiting;
  if (waiting) return waiting.error;
  if (transfers.some(({ quietSince }) => quietSince !== undefined)) return silence.toData();
  return transfers.some(({ state }) => state === 'preparing') ? noLink : null;
}

const noLink = new AppError('network.timeout', 'The catalog has given no link', {
  retryable: true,
}).toData();
const silence = new AppError('network.timeout', 'The server sends nothing', { retryable: true });

function isStuck({ waiting }: Transfer, patienceMs: number): boolean {
  if (waiting === null || waiting.error.code !== 'http.too-many-requests') return waiting !== null;
  return waiting.resumeAt !== null && Date.parse(waiting.resumeAt) - Date.now() > patienceMs;
}

// No transfer waits by itself then: the queue has no room to say so, or somebody works offline in the window.
function ofQueue(hold: QueueStatus['hold']): ErrorData | null {
  const isStuck = hold?.error.code.startsWith('transfer.') || hold?.error.code === 'network.switched-off';
  return hold && isStuck ? hold.error : null;
}

function isLocked({ waiting }: Transfer): boolean {
  return waiting !== null && needsLogin(waiting.error);
}
