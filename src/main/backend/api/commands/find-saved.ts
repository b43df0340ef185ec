import { AppError } from '#shared/errors/app-error.ts';
import type { Notebook } from '../../notebook/notebook.ts';
import type { SavedSearch } from '../../notebook/saved-search-store.ts';

/** The saved search that a command names. @throws AppError `saved.not-found` */
export function findSaved(
  { notebook }: { notebook: Notebook },
  { connectionId, name }: { connectionId: string; name: string },
): SavedSearch {
  const found = notebook.savedSearches.findByName(connectionId, name.trim());
  if (found) return found;
  throw new AppError('saved.not-found', `There is no saved search named ${name}`, { details: { name } });
}
