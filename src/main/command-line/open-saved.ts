import { AppError } from '#shared/errors/app-error.ts';
import type { openCommandNotebook } from '../backend/commands.ts';
import { savedNameSchema, type SavedQuestion } from '#shared/search/saved-question.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import { createConfStore } from '../host/conf-store.ts';
import { readConnection } from '../host/read-connection.ts';
import { findUserFolders } from '../host/user-folders.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';

/** Items noted as seen in one transaction. */
const seenPerSlice = 500;

/** The saved searches of the catalog that the options name, and where that catalog is. */
export interface SavedSearches {
  /** Its address; null for the demo catalog, which has another one on each start. */
  baseUrl: string | null;
  needsToken: boolean;
  list(): SavedEntry[];
  /** @throws AppError `saved.not-found` */
  get(name: string): SavedEntry;
  /** @throws AppError `saved.name-taken` */
  checkFree(name: string): void;
  /** @throws AppError `saved.name-taken` */
  save(name: string, question: SavedQuestion): SavedEntry;
  rename(entry: SavedEntry, name: string): void;
  remove(entry: SavedEntry): void;
  findUnseen(entry: SavedEntry, refs: readonly ItemRef[]): number[];
  /** Takes note of what was shown, and that it was looked at now. */
  markSeen(entry: SavedEntry, refs: readonly ItemRef[]): void;
}

type Store = ReturnType<typeof openCommandNotebook>['savedSearches'];

/** One saved search. */
export type SavedEntry = ReturnType<Store['list']>[number];

/** What a command does with saved searches. */
interface SavedWork<Result> {
  /** Whether it changes none, and so needs no folder that can be written to. */
  isReading: boolean;
  work: (saved: SavedSearches) => Promise<Result> | Result;
}

/** Opens the notebook of the data folder, does the work, and closes it. Nothing connects to the catalog. */
export async function withSavedSearches<Result>(
  options: GlobalOptions,
  context: CommandContext,
  { isReading, work }: SavedWork<Result>,
): Promise<Result> {
  const choice = readConnection(options, context.env) ?? { kind: 'demo' };
  const { dataDir } = findUserFolders(options);
  // Loaded only now: wrong usage is told at once, before the whole program is read.
  const backend = await import('../backend/commands.ts');
  const { id, source } = backend.findCommandCatalog({
    choice,
    settings: createConfStore(dataDir),
    env: context.env,
    dataDir,
  });
  const notebook = backend.openCommandNotebook(dataDir, { isReading });
  try {
    return await work({
      baseUrl: source.kind === 'demo' ? null : source.baseUrl,
      needsToken: source.kind === 'demo' || source.auth.kind !== 'none',
      ...overStore(notebook.savedSearches, id),
    });
  } finally {
    notebook.close();
  }
}

function overStore(store: Store, connectionId: string): Omit<SavedSearches, 'baseUrl' | 'needsToken'> {
  return {
    list: () => store.list(connectionId),
    get(name) {
      const found = store.findByName(connectionId, name.trim());
      if (found) return found;
      throw new AppError('saved.not-found', `There is no saved search named ${name}`, { details: { name } });
    },
    checkFree(name) {
      if (store.findByName(connectionId, checkName(name)) === null) return;
      throw new AppError('saved.name-taken', `There is a saved search named ${name} already`, {
        details: { name },
      });
    },
    save: (name, question) =>
      store.save({ connectionId, name: checkName(name), question, nowMs: Date.now() }),
    rename: ({ savedSearchId }, name) => store.rename(savedSearchId, checkName(name)),
    remove: ({ savedSearchId }) => store.remove(savedSearchId, Date.now()),
    findUnseen: ({ savedSearchId }, refs) => store.findUnseen(savedSearchId, refs),
    markSeen({ savedSearchId }, refs) {
      for (let start = 0; start < refs.length; start += seenPerSlice)
        store.addSeen(savedSearchId, refs.slice(start, start + seenPerSlice));
      store.noteLook(savedSearchId, Date.now());
    },
  };
}

/** A name that the window can show. @throws AppError `input.invalid` */
export function checkName(name: string): string {
  const parsed = savedNameSchema.safeParse(name);
  if (parsed.success) return parsed.data;
  const why = 'a name of 1 to 120 characters is needed';
  throw new AppError('input.invalid', `name: ${why}`, { details: { field: 'name', why } });
}
