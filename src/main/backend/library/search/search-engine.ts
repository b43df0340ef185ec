import type { Database } from 'better-sqlite3';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { CollectionKeys } from '../collection-keys.ts';
import type { LibraryPage, PagePosition, SearchEngine } from '../library.ts';
import { Candidates } from './candidates.ts';
import { compileQuery, type CompiledQuery } from './compile-query.ts';
import type { QueryablesOf } from './property-conditions.ts';

interface EngineParts {
  database: Database;
  keys: CollectionKeys;
  queryablesOf: QueryablesOf;
}

/** The engine that answers offline search and the local catalog service alike. */
export function createSearchEngine({ database, keys, queryablesOf }: EngineParts): SearchEngine {
  const candidates = new Candidates(database, keys);
  const compile = (query: SearchQuery): CompiledQuery =>
    compileQuery(query, { collections: keys.all(), queryablesOf });

  return {
    async search(query, { limit, after = null, signal }) {
      const compiled = compile(query);
      if (compiled.isImpossible) return { items: [], next: null };
      const page: LibraryPage = { items: [], next: null };
      let last: PagePosition | null = null;
      // One more than the page holds tells whether there is another page.
      for await (const { ref, item, position } of candidates.walk(compiled, {
        after,
        limit: limit + 1,
        signal,
      })) {
        if (page.items.length === limit) return { ...page, next: last };
        page.items.push({ ref, item });
        last = position;
      }
      return page;
    },

    async count(query, { maxCandidates, signal }) {
      const compiled = compile(query);
      if (compiled.isImpossible) return 0;
      const candidateCount = candidates.count(compiled);
      if (compiled.tests.length === 0) return candidateCount;
      if (candidateCount > maxCandidates) return null;
      const walk = candidates.walk(compiled, { after: null, limit: Infinity, signal });
      let matching = 0;
      while (!(await walk.next()).done) matching += 1;
      return matching;
    },
  };
}
