import type { LibraryImports } from '../import-store.ts';
import type { Library, SearchEngine } from '../library.ts';
import type { LibraryUpkeep } from './library-upkeep.ts';

type PromisingCall<Part> = {
  [Name in keyof Part]: Part[Name] extends (...args: never[]) => Promise<unknown> ? Name : never;
}[keyof Part];

// All calls that answer later: whoever adds one says here whether it writes.
const doesWrite: Record<
  | PromisingCall<Library>
  | PromisingCall<LibraryImports>
  | PromisingCall<LibraryUpkeep>
  | PromisingCall<SearchEngine>,
  boolean
> = {
  saveItems: true,
  takeIn: true,
  settle: false,
  together: true,
  // It goes on by itself where it was interrupted, and nobody's data are in it.
  catchUp: false,
  markGone: true,
  overview: false,
  saveCollections: true,
  saveQueryables: true,
  saveSearch: true,
  extendSearch: true,
  forgetSearch: true,
  takeSearchBack: true,
  saveThumbnail: true,
  endThreads: false,
  close: false,
  begin: true,
  add: true,
  evict: true,
  forgetSearches: true,
  compact: true,
  checkpoint: true,
  note: true,
  search: false,
  count: false,
  summarise: false,
};

/** Names of the calls of a library, and of its parts, that write to its file. */
export const writingCalls: ReadonlySet<string> = new Set(
  Object.entries(doesWrite).flatMap(([name, writes]) => (writes ? [name] : [])),
);
