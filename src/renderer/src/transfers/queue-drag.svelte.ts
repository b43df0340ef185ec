import type { QueueEntry } from '../state/queue-entries.ts';
import type { QueueViewState } from '../state/queue-view-state.svelte.ts';
import type { TransfersState } from '../state/transfers-state.svelte.ts';
import { isMovable, type QueueActions } from './queue-actions.ts';

interface DragParts {
  view: QueueViewState;
  transfers: TransfersState;
  actions: QueueActions;
}

/** The transfer that what is dragged would go before or after. */
interface Aim {
  transferId: number;
  side: 'before' | 'after';
}

/** Lines that are dragged to another place in the queue. */
export class QueueDrag {
  readonly #parts: DragParts;
  #dragged: QueueEntry | null = null;
  #aim = $state.raw<Aim | null>(null);

  constructor(parts: DragParts) {
    this.#parts = parts;
  }

  /** Whether what is dragged would go before or after a line; null where it would go elsewhere. */
  sideOf(entry: QueueEntry): Aim['side'] | null {
    return entry.kind === 'transfer' && this.#aim?.transferId === entry.transferId ? this.#aim.side : null;
  }

  start(event: DragEvent, entry: QueueEntry): void {
    if (!this.#parts.view.targetOf(entry)?.transfers.some(isMovable)) {
      event.preventDefault();
      return;
    }
    this.#dragged = entry;
    event.dataTransfer?.setData('text/plain', '');
    if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
  }

  over(event: DragEvent, entry: QueueEntry): void {
    if (!this.#dragged) return;
    const box = event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : null;
    const isLower = box !== null && event.clientY > box.top + box.height / 2;
    const aim = this.#aimAt(entry, isLower ? 'after' : 'before');
    if (aim) event.preventDefault();
    if (this.#aim?.transferId !== aim?.transferId || this.#aim?.side !== aim?.side) this.#aim = aim;
  }

  drop(): void {
    const { view, actions } = this.#parts;
    const target = view.targetOf(this.#dragged);
    const aim = this.#aim;
    if (target && aim)
      actions.move(target, aim.side === 'before' ? { before: aim.transferId } : { after: aim.transferId });
    // The row that was dragged is another element by now.
    if (this.#dragged) view.activate(this.#dragged.key);
    this.end();
  }

  end(): void {
    this.#dragged = null;
    this.#aim = null;
  }

  /** What is dragged onto files that run, or onto the head of an order, goes before all that wait below. */
  #aimAt(entry: QueueEntry, side: Aim['side']): Aim | null {
    const { entries } = this.#parts.view;
    const { downloadId } = entry;
    if (entry.kind === 'transfer' && this.#isMovable(entry)) return { transferId: entry.transferId, side };
    const below = entries.slice(entries.indexOf(entry)).filter((one) => one.downloadId === downloadId);
    const first = below.find((one) => one.kind === 'transfer' && this.#isMovable(one));
    return first?.kind === 'transfer' ? { transferId: first.transferId, side: 'before' } : null;
  }

  #isMovable(entry: QueueEntry): boolean {
    const line = entry.kind === 'transfer' ? this.#parts.transfers.find(entry.transferId) : null;
    return line !== null && isMovable(line);
  }
}
