import type { QueueEntry } from '../state/queue-entries.ts';
import type { QueueViewState } from '../state/queue-view-state.svelte.ts';
import type { TransfersState } from '../state/transfers-state.svelte.ts';
import { isMovable, type QueueActions } from './queue-actions.ts';

interface DragParts {
  view: QueueViewState;
  transfers: TransfersState;
  actions: QueueActions;
}

/** Lines that are dragged to another place in the queue. */
export class QueueDrag {
  readonly #parts: DragParts;
  #dragged: QueueEntry | null = null;
  /** The line that what is dragged would go before or after. */
  #aim = $state.raw<{ key: string; side: 'before' | 'after' } | null>(null);

  constructor(parts: DragParts) {
    this.#parts = parts;
  }

  /** Whether what is dragged would go before or after a line; null where it would go elsewhere. */
  sideOf({ key }: QueueEntry): 'before' | 'after' | null {
    return this.#aim?.key === key ? this.#aim.side : null;
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
    const line = entry.kind === 'transfer' ? this.#parts.transfers.find(entry.transferId) : null;
    if (!this.#dragged || !line || !isMovable(line)) return;
    event.preventDefault();
    const box = event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : null;
    const side = box && event.clientY > box.top + box.height / 2 ? 'after' : 'before';
    if (this.sideOf(entry) !== side) this.#aim = { key: entry.key, side };
  }

  drop(entry: QueueEntry): void {
    const { view, actions } = this.#parts;
    const target = view.targetOf(this.#dragged);
    const side = this.#aim?.side;
    if (target && side && entry.kind === 'transfer')
      actions.move(target, side === 'before' ? { before: entry.transferId } : { after: entry.transferId });
    // The row that was dragged is another element by now.
    if (this.#dragged) view.activate(this.#dragged.key);
    this.end();
  }

  end(): void {
    this.#dragged = null;
    this.#aim = null;
  }
}
