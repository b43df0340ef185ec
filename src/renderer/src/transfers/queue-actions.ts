import { toItemKey } from '#shared/stac/item-key.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import { nextState, type TransferEvent } from '#shared/transfer/next-state.ts';
import type { TransferPlace } from '#shared/transfer/transfer-filter.ts';
import type { Transfer, TransferPriority } from '#shared/transfer/transfer.ts';
import { formatPlural } from '../format/format-number.ts';
import type { AppState } from '../state/app-state.svelte.ts';
import type { ActionTarget } from '../state/queue-view-state.svelte.ts';
import { cancelTransfers } from './cancellation.ts';
import { findStop } from './find-stop.ts';
import { describeTakenOff } from './queue-words.ts';

/** What can be done to transfers, for buttons, keys and menus alike. */
export class QueueActions {
  readonly #app: AppState;

  constructor(app: AppState) {
    this.#app = app;
  }

  canPause(target: ActionTarget): boolean {
    return target.transfers.some(isPausable);
  }

  /** Whether some are paused, failed, waiting, cancelled, or not as they came. */
  canResume({ transfers, downloadId }: ActionTarget): boolean {
    return transfers.some(isResumable(downloadId));
  }

  canCancel(target: ActionTarget): boolean {
    return target.transfers.some(isCancellable);
  }

  pause({ which }: ActionTarget): void {
    void this.#app.attempt(() => this.#app.transfers.pause(which));
  }

  /** Goes on with them, tries failed ones again, and fetches again what is missing. */
  resume({ which }: ActionTarget): void {
    void this.#app.attempt(() => this.#app.transfers.resume(which));
  }

  /** Pauses what can be paused; where nothing can, goes on. */
  togglePause(target: ActionTarget): void {
    if (this.canPause(target)) this.pause(target);
    else if (this.canResume(target)) this.resume(target);
  }

  /** Whether some may be given slots before all others: not while nothing gets one. */
  canStartNow({ transfers }: ActionTarget): boolean {
    const isStopped = findStop(this.#app)?.isByPerson === true;
    return !isStopped && transfers.length <= 100 && transfers.some(isMovable);
  }

  startNow({ transfers }: ActionTarget): void {
    void this.#app.attempt(() => this.#app.transfers.startNow(transfers.map((one) => one.transferId)));
  }

  cancel({ which }: ActionTarget): void {
    cancelTransfers(this.#app, which);
  }

  /** Takes what is settled off the list, and says so: that can't be undone. */
  remove({ which, transfers }: ActionTarget): void {
    const hint = describeTakenOff(transfers.filter(isRemovable).map(({ state }) => state));
    void this.#app.attempt(async () => {
      const count = await this.#app.transfers.remove(which);
      if (count === 0) return;
      const text = `${formatPlural(count, 'transfer')} taken off the list`;
      this.#app.notices.show({ tone: 'info', text, hint });
    });
  }

  /** What Delete does: cancels what goes on, takes the rest off the list. */
  cancelOrRemove(target: ActionTarget): void {
    if (target.transfers.some((one) => takes(one, 'cancel') && one.state !== 'failed')) this.cancel(target);
    else this.remove(target);
  }

  move({ transfers }: ActionTarget, place: TransferPlace): void {
    const ids = transfers.filter(isMovable).map((one) => one.transferId);
    if (ids.length > 0) void this.#app.attempt(() => this.#app.transfers.move(ids, place));
  }

  prioritise({ which }: ActionTarget, priority: TransferPriority): void {
    void this.#app.attempt(() => this.#app.transfers.prioritise(which, priority));
  }

  /** Whether there is one in the list that they can be moved past. */
  canStep(target: ActionTarget, direction: 'up' | 'down'): boolean {
    return this.#neighbourOf(target, direction) !== null;
  }

  /** Moves them past their neighbour in the list. */
  step(target: ActionTarget, direction: 'up' | 'down'): void {
    const neighbour = this.#neighbourOf(target, direction);
    if (neighbour === null) return;
    this.move(target, direction === 'up' ? { before: neighbour } : { after: neighbour });
  }

  /** Reads their files again and says what was found. */
  verify({ which, transfers }: ActionTarget): void {
    const count = transfers.filter(isDoneNow).length;
    this.#app.verification.start(which, count);
  }

  /** Whether some are not done and may go elsewhere. */
  canSend({ transfers }: ActionTarget): boolean {
    return transfers.some(isSendable);
  }

  /** Asks for another folder for what is not done, in the system's dialog where there is one. */
  chooseFolder(target: ActionTarget): void {
    const { info, queueView, session, transfers } = this.#app;
    if (info?.hasFolderDialog !== true) {
      queueView.askFolder(target);
      return;
    }
    void this.#app.attempt(async () => {
      const downloadId = target.transfers.find(isSendable)?.downloadId;
      const order = downloadId === undefined ? null : transfers.findOrder(downloadId);
      const folder = await session.client.folders.choose({ startAt: order?.destination ?? null });
      if (folder) this.sendTo(target, folder.path);
    });
  }

  /** Sends what is not done to another folder, and says what becomes of what came already. */
  sendTo({ which }: ActionTarget, destination: string): void {
    void this.#app.attempt(async () => {
      const { count, anewCount } = await this.#app.transfers.sendTo(which, destination);
      const anew = anewCount === 0 ? '' : `; ${describeAnew(count, anewCount)}`;
      const text = `${formatPlural(count, 'transfer')} now ${count === 1 ? 'goes' : 'go'} to ${destination}${anew}`;
      this.#app.notices.show({ tone: 'info', text });
    });
  }

  copyPath({ transfers }: ActionTarget): void {
    const paths = transfers.flatMap(({ filePath }) => filePath ?? []).join('\n');
    void this.#app.attempt(async () => {
      await navigator.clipboard.writeText(paths);
      this.#app.notices.show({ tone: 'info', text: transfers.length === 1 ? 'Path copied' : 'Paths copied' });
    });
  }

  /** Whether the items belong to the catalog in use, so that it can be asked for them. */
  canShowItems({ transfers }: ActionTarget): boolean {
    const { connection, transfers: queue } = this.#app;
    return transfers.every((one) => queue.findOrder(one.downloadId)?.connectionId === connection.id);
  }

  showItem({ transfers: [one] }: ActionTarget): void {
    if (!one) return;
    this.#app.show('search');
    this.#app.openItem({ collectionId: one.collectionId, itemId: one.itemId });
  }

  /** Offers to write the items that these files belong to into a file, with their footprints. */
  exportItems({ transfers }: ActionTarget): void {
    const refs = uniqueItems(transfers);
    const fileName = `downloads ${new Date().toISOString().slice(0, 10)}`;
    const label = formatPlural(refs.length, 'item');
    this.#app.exchange.ask([{ label, source: { kind: 'items', refs }, fileName, asOf: null }]);
  }

  /** Whether one of them is there, and this program can show where. */
  canShowInFolder({ transfers }: ActionTarget): boolean {
    return this.#app.info?.canShowFiles === true && transfers.some(isThere);
  }

  showInFolder({ transfers }: ActionTarget): void {
    const one = transfers.find(isThere);
    if (one) void this.#app.attempt(() => this.#app.transfers.showFile(one.transferId));
  }

  /** Whether it is one that is done, and this program can open it. */
  canOpenFile({ transfers: [one, ...others] }: ActionTarget): boolean {
    return this.#app.info?.canOpenFiles === true && others.length === 0 && one?.state === 'done';
  }

  openFile({ transfers: [one] }: ActionTarget): void {
    if (one) void this.#app.attempt(() => this.#app.transfers.openFile(one.transferId));
  }

  /** The transfer beside them in the list that can be passed; null at the ends. */
  #neighbourOf({ transfers }: ActionTarget, direction: 'up' | 'down'): number | null {
    const { entries } = this.#app.queueView;
    const moved = new Set(transfers.map((one) => one.transferId));
    const movable = entries.flatMap((entry) => {
      const one = entry.kind === 'transfer' ? this.#app.transfers.find(entry.transferId) : null;
      return one && isMovable(one) ? [one.transferId] : [];
    });
    const places = movable.flatMap((id, place) => (moved.has(id) ? [place] : []));
    const edge = direction === 'up' ? places[0] : places.at(-1);
    if (edge === undefined) return null;
    return movable[edge + (direction === 'up' ? -1 : 1)] ?? null;
  }
}

/** Whether it can be paused. */
export function isPausable(one: Transfer): boolean {
  return takes(one, 'pause');
}

/** Whether it can be cancelled. */
export function isCancellable(one: Transfer): boolean {
  return takes(one, 'cancel');
}

/** Whether it can be gone on with; of an order, what was cancelled stays so. */
export function isResumable(downloadId: number | null): (one: Transfer) => boolean {
  return (one) =>
    takes(one, 'resume') ||
    (takes(one, 'retry') && (downloadId === null || one.state !== 'cancelled')) ||
    one.finding !== null;
}

/** Whether its file was brought. */
export function isDoneNow({ state }: Transfer): boolean {
  return state === 'done';
}

function takes({ state }: Transfer, event: TransferEvent): boolean {
  return nextState(state, event) !== null;
}

/** Whether a transfer still has a turn to wait for. */
export function isMovable({ state }: Transfer): boolean {
  return state === 'queued' || state === 'waiting' || state === 'paused';
}

/** Whether its file was brought, and is there as far as is known. */
function isThere({ state, finding }: Transfer): boolean {
  return state === 'done' && finding !== 'missing';
}

function isSendable({ state }: Transfer): boolean {
  return state !== 'done' && state !== 'cancelled' && state !== 'finalizing';
}

function uniqueItems(transfers: readonly Transfer[]): ItemRef[] {
  const refs = transfers.map(({ collectionId, itemId }) => ({ collectionId, itemId }));
  return [...new Map(refs.map((ref) => [toItemKey(ref), ref])).values()];
}

function describeAnew(count: number, anewCount: number): string {
  const which =
    count === anewCount ? (count === 1 ? 'it begins' : 'all begin') : `${anewCount} of them begin`;
  return `${which} anew, as the bytes in the old folder can’t be reached`;
}

/** Whether it can be taken off the list. */
export function isRemovable({ state }: Transfer): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}
