import type { TransferFilter } from '#shared/transfer/transfer-filter.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { holdList, isReordered, keepLines, type HeldList } from './held-list.ts';
import {
  isUnfolded,
  listEntries,
  orderKey,
  transferKey,
  type QueueEntry,
  type QueueTab,
} from './queue-entries.ts';
import { placeOf, summarise } from './order-summary.ts';
import { addIds, noIds, removeIds, toIdSet, type IdSet } from './id-set.ts';
import type { TransfersState } from './transfers-state.svelte.ts';

/** What an action is done to: named transfers, or an order with all that belongs to it. */
export interface ActionTarget {
  which: TransferFilter;
  transfers: readonly Transfer[];
  /** The order, where all of one is meant. */
  downloadId: number | null;
}

/** Which part of the queue is looked at, and what is picked there. */
export class QueueViewState {
  readonly #transfers: TransfersState;
  #tab = $state<QueueTab | 'history'>('all');
  #text = $state('');
  #folded = $state.raw<IdSet>(noIds);
  #picked = $state.raw<IdSet>(noIds);
  #activeKey = $state<string | null>(null);
  #anchorKey: string | null = null;
  /** Whether the active line was asked for outside the list, and is not in sight yet. */
  isAskedFor = $state(false);
  #openedId = $state<number | null>(null);
  #sent = $state.raw<ActionTarget | null>(null);
  /** Where the lines were when a person laid hands on the list. */
  #held = $state.raw<HeldList | null>(null);
  #report = $state.raw<{ downloadId: number | null } | null>(null);

  readonly #heldNow: HeldList | null = $derived.by(() =>
    this.#held && !isReordered(this.#held, this.#transfers.all) ? this.#held : null,
  );
  readonly entries: readonly QueueEntry[] = $derived.by(() => {
    const tab = this.#tab;
    if (tab === 'history') return [];
    const view = { tab, text: this.#text, folded: this.#folded };
    const { all, orders } = this.#transfers;
    const entries = listEntries(all, { ...view, orders, summaries: this.#summariesByPlace });
    if (this.#heldNow === null) return entries;
    return keepLines(this.#heldNow, entries, {
      transfers: all,
      tab,
      isUnfolded: (id) => isUnfolded(id, view),
    });
  });
  readonly activeIndex: number = $derived(
    this.#activeKey === null ? -1 : this.entries.findIndex(({ key }) => key === this.#activeKey),
  );
  /** Where the active line stands in the queue: that changes when somebody moves it, and not when others are done. */
  readonly activePlace: number | null = $derived.by(() => {
    const entry = this.entries[this.activeIndex];
    if (!entry) return null;
    const isOfLine = ({ transferId, downloadId }: Transfer): boolean =>
      entry.kind === 'transfer' ? transferId === entry.transferId : downloadId === entry.downloadId;
    return this.#transfers.all
      .filter(isOfLine)
      .reduce((least, one) => Math.min(least, placeOf(one)), Infinity);
  });
  /** Of what is picked, what the list shows: nothing is done to what a person can't see. */
  readonly #shownPicks: IdSet = $derived(
    this.#picked.size === 0
      ? noIds
      : toIdSet(
          this.entries.flatMap((entry) =>
            entry.kind === 'transfer' && this.#picked.has(entry.transferId) ? [entry.transferId] : [],
          ),
        ),
  );
  // Of `all`, so that the list is sorted anew when places change and not with each byte.
  readonly #summariesByPlace = $derived.by(() => summarise(this.#transfers.all));

  constructor(transfers: TransfersState) {
    this.#transfers = transfers;
  }

  get tab(): QueueTab | 'history' {
    return this.#tab;
  }

  /** The line that the keyboard is on. */
  get activeKey(): string | null {
    return this.#activeKey;
  }

  get text(): string {
    return this.#text;
  }

  /** The transfer whose details are shown; null when none is, or it is gone. */
  get opened(): Transfer | null {
    return this.#openedId === null ? null : this.#transfers.find(this.#openedId);
  }

  /** Those that another folder is being chosen for; null when none is. */
  get sent(): ActionTarget | null {
    return this.#sent;
  }

  /** Asks for another folder for these. */
  askFolder(target: ActionTarget): void {
    this.#sent = target;
  }

  forgetFolder(): void {
    this.#sent = null;
  }

  /** The report that is read: of an order, or of all; null when none is. */
  get report(): { downloadId: number | null } | null {
    return this.#report;
  }

  /** Shows what became of an order, or of all. */
  askReport(downloadId: number | null): void {
    this.#report = { downloadId };
  }

  closeReport(): void {
    this.#report = null;
  }

  /** How many are picked, of those that the list shows. */
  get pickedCount(): number {
    return this.#shownPicks.size;
  }

  isPicked(transferId: number): boolean {
    return this.#shownPicks.has(transferId);
  }

  /** Keeps every line where it is, whatever becomes of the files, while a person's hands are on the list. */
  hold(): void {
    const last = this.entries.at(-1);
    // What is new comes at the end, and is then held as well.
    if (!this.#heldNow || (last && !this.#heldNow.keys.has(last.key)))
      this.#held = holdList(this.entries, this.#transfers.all);
  }

  /** Lets the lines go where they belong. */
  letGo(): void {
    this.#held = null;
  }

  showTab(tab: QueueTab | 'history'): void {
    this.letGo();
    // What is looked for in the one is not what is looked for in the other.
    if ((tab === 'history') !== (this.#tab === 'history')) this.#text = '';
    this.#tab = tab;
    this.clearPicks();
  }

  find(text: string): void {
    this.letGo();
    this.#text = text;
    this.clearPicks();
  }

  /** Folds the transfers of an order away, or shows them. */
  fold(downloadId: number, isFolded: boolean): void {
    const active = this.entries[this.activeIndex];
    this.#folded = isFolded ? addIds(this.#folded, [downloadId]) : removeIds(this.#folded, [downloadId]);
    if (this.#heldNow) this.#held = holdList(this.entries, this.#transfers.all);
    if (isFolded && active?.downloadId === downloadId) this.activate(orderKey(downloadId));
  }

  open(transferId: number | null): void {
    this.#openedId = transferId;
  }

  /** Shows an order, wherever the list was. */
  showOrder(downloadId: number): void {
    this.letGo();
    this.#tab = 'all';
    this.#text = '';
    this.#askFor(orderKey(downloadId));
  }

  /** Shows a transfer with its details, wherever the list was. */
  showTransfer({ transferId, downloadId }: Pick<Transfer, 'transferId' | 'downloadId'>): void {
    this.showTab('all');
    this.#text = '';
    this.#folded = removeIds(this.#folded, [downloadId]);
    this.#askFor(transferKey(transferId));
    this.open(transferId);
  }

  /** Shows the first of the files that are missing or not as they came, among what failed. */
  showLost(): void {
    const lost = this.#transfers.all.filter(({ finding }) => finding !== null);
    this.showTab('failed');
    this.#text = '';
    this.#folded = removeIds(
      this.#folded,
      lost.map(({ downloadId }) => downloadId),
    );
    const first = this.entries.find(
      (entry) => entry.kind === 'transfer' && lost.some(({ transferId }) => transferId === entry.transferId),
    );
    this.#askFor(first?.key ?? null);
  }

  #askFor(key: string | null): void {
    this.activate(key);
    this.isAskedFor = true;
  }

  activate(key: string | null): void {
    this.isAskedFor = false;
    this.#activeKey = key;
    this.#anchorKey = key;
    const entry = this.entries[this.activeIndex];
    // Details follow the keys while they are open.
    if (this.#openedId !== null && entry?.kind === 'transfer') this.#openedId = entry.transferId;
  }

  /**
   * Goes on beside a line that has left the list, where it was in `before`: with the next one of its order, or the one
   * above, so that a key pressed again doesn't mean all of another order. Details stay with what they show.
   */
  goOnBeside(before: readonly QueueEntry[], index: number): void {
    const isThere = ({ key }: QueueEntry): boolean => this.entries.some((entry) => entry.key === key);
    const next = before.slice(index + 1).find(isThere);
    const previous = before.slice(0, index).findLast(isThere);
    const isOfOrder = (entry: QueueEntry | undefined): boolean =>
      entry !== undefined && entry.downloadId === before[index]?.downloadId;
    const entry = !isOfOrder(next) && isOfOrder(previous) ? previous : (next ?? previous);
    const { opened } = this;
    this.activate(entry?.key ?? null);
    if (opened) this.open(opened.transferId);
  }

  /** Picks a transfer, or all of an order, or gives them back. */
  toggle(entry: QueueEntry): void {
    const ids = this.#idsOf(entry);
    const isAll = ids.every((id) => this.#shownPicks.has(id));
    this.#picked = isAll ? removeIds(this.#shownPicks, ids) : addIds(this.#shownPicks, ids);
    this.activate(entry.key);
  }

  pickOnly(entry: QueueEntry): void {
    this.#picked = toIdSet(this.#idsOf(entry));
    this.activate(entry.key);
  }

  /** Picks from where the last range began to here, and nothing else. */
  pickRange(entry: QueueEntry): void {
    const to = this.entries.indexOf(entry);
    const from = this.entries.findIndex(({ key }) => key === this.#anchorKey);
    const first = from < 0 ? to : Math.min(from, to);
    const range = this.entries.slice(first, Math.max(from, to) + 1);
    this.#picked = toIdSet(range.flatMap((one) => (one.kind === 'transfer' ? [one.transferId] : [])));
    const anchor = this.#anchorKey;
    this.activate(entry.key);
    this.#anchorKey = from < 0 ? entry.key : anchor;
  }

  pickAll(): void {
    this.#picked = toIdSet(
      this.entries.flatMap((entry) => (entry.kind === 'transfer' ? [entry.transferId] : [])),
    );
  }

  clearPicks(): void {
    if (this.#picked.size > 0) this.#picked = noIds;
  }

  /** What an action on a line is done to: all that is picked, where the line is; else the line alone. */
  targetOf(entry: QueueEntry | null): ActionTarget | null {
    if (entry === null) return null;
    if (entry.kind === 'order' && this.#shownPicks.size === 0) return this.lineTarget(entry);
    const isAmong = entry.kind === 'order' || this.#shownPicks.has(entry.transferId);
    return isAmong ? this.pickedTarget : this.lineTarget(entry);
  }

  /** What a line alone means. Of an order that is what the list lets through: nothing that a person can't see. */
  lineTarget(entry: QueueEntry): ActionTarget | null {
    if (entry.kind === 'transfer') return this.#toTarget([entry.transferId], null);
    return this.#toTarget(entry.transferIds, this.isWhole(entry) ? entry.downloadId : null);
  }

  /** Whether the list lets all of an order through. */
  isWhole({ downloadId, transferIds }: QueueEntry & { kind: 'order' }): boolean {
    return transferIds.length === this.#transfers.summaries.get(downloadId)?.fileCount;
  }

  /** What is picked and shown; null where nothing is. */
  get pickedTarget(): ActionTarget | null {
    return this.#shownPicks.size === 0 ? null : this.#toTarget([...this.#shownPicks], null);
  }

  #toTarget(ids: readonly number[], downloadId: number | null): ActionTarget | null {
    const transfers = ids.flatMap((id) => this.#transfers.find(id) ?? []);
    if (transfers.length === 0) return null;
    const which =
      downloadId === null ? { transferIds: transfers.map((one) => one.transferId) } : { downloadId };
    return { which, transfers, downloadId };
  }

  #idsOf(entry: QueueEntry): number[] {
    if (entry.kind === 'transfer') return [entry.transferId];
    return this.entries.flatMap((one) =>
      one.kind === 'transfer' && one.downloadId === entry.downloadId ? [one.transferId] : [],
    );
  }
}
