import { untrack } from 'svelte';
import { z } from 'zod';
import { savedQuestionSchema, type SavedQuestion } from '#shared/search/saved-question.ts';
import type { AppState } from './app-state.svelte.ts';

const storageKey = 'swath.question';
// Nobody reloads between two letters; a detailed area is long to write.
const pauseMs = 300;

const keptSchema = savedQuestionSchema.extend({ connectionId: z.string() });

/**
 * Keeps the question that is put together where it outlives the page, so that a window that is loaded anew, or has
 * crashed, shows it again. To be called while a component is made, with the page's own storage.
 */
export function keepQuestion(
  { connection, question }: Pick<AppState, 'connection' | 'question'>,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
): void {
  let isRestored = false;
  $effect(() => {
    const connectionId = connection.id;
    if (connectionId === '') return;
    if (!isRestored) untrack(() => restore(connectionId));
    isRestored = true;
    const { query, localFilter, draft } = question;
    const kept = { query, localFilter, maxItems: draft.maxItems, connectionId };
    const timer = setTimeout(() => keep(kept), pauseMs);
    return () => clearTimeout(timer);
  });

  function restore(connectionId: string): void {
    const kept = read();
    // What another catalog was asked is nothing to this one.
    if (kept?.connectionId === connectionId) question.replace(kept.query, kept);
  }

  function read(): z.infer<typeof keptSchema> | null {
    try {
      const text = storage.getItem(storageKey);
      return text === null ? null : (keptSchema.safeParse(JSON.parse(text)).data ?? null);
    } catch {
      return null;
    }
  }

  function keep(kept: SavedQuestion & { connectionId: string }): void {
    try {
      storage.setItem(storageKey, JSON.stringify(kept));
    } catch {
      // An area of megabytes has no room there: the question then lasts as long as the page.
    }
  }
}
