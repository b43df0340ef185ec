import type { Attachment } from 'svelte/attachments';
import { on } from 'svelte/events';
import type { QueueViewState } from '../state/queue-view-state.svelte.ts';

/** How long the lines stay where they are after the last move of a hand that has not left the list. */
const stillMs = 30_000;

/** Keeps the lines still while a hand is on them: a click on Cancel may not meet another file than it was aimed at. */
export function keepStill(view: Pick<QueueViewState, 'hold' | 'letGo'>): Attachment<HTMLElement> {
  return (list) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isDragging = false;
    const keep = (): void => {
      view.hold();
      clearTimeout(timer);
      timer = setTimeout(() => view.letGo(), stillMs);
    };
    const letGo = (): void => {
      clearTimeout(timer);
      view.letGo();
    };
    const listeners = [
      on(list, 'pointerdown', keep),
      on(list, 'keydown', keep),
      on(list, 'dragover', keep),
      on(list, 'pointermove', () => {
        isDragging = false;
        keep();
      }),
      on(list, 'dragstart', ({ defaultPrevented }) => (isDragging = !defaultPrevented)),
      on(list, 'pointerleave', ({ pointerType }) => {
        // A finger leaves with each tap, and a mouse as it begins to drag.
        if (pointerType === 'mouse' && !isDragging) letGo();
      }),
    ];
    return () => {
      for (const stop of listeners) stop();
      letGo();
    };
  };
}
