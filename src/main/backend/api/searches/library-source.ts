import { toItemKey } from '#shared/stac/item-key.ts';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import type { Library, PagePosition } from '../../library/library.ts';
import type { AnswerPage, AnswerSource } from './answer-source.ts';

const defaultPageSize = 250;
const maxPageSize = 1000;
/** Items that are looked at one by one to tell how many there are. */
const maxCounted = 20_000;

/**
 * The library's answer to a question. `fields` is left aside: whatever is here is shown. `given` are Items that were
 * answered already, by the catalog before it went away.
 */
export function openLibrarySource(
  library: Library,
  { query: asked, given = [] }: { query: SearchQuery; given?: readonly ItemRef[] },
): AnswerSource {
  const { fields: _fields, ...query } = asked;
  const limit = Math.min(query.limit ?? defaultPageSize, maxPageSize);
  const known = new Set(given.map(toItemKey));
  let after: PagePosition | null = null;
  let hasBegun = false;
  return {
    origin: 'library',
    get hasMore() {
      return !hasBegun || after !== null;
    },
    isIncomplete: false,
    async next(signal) {
      // What was seen a moment ago may still be on its way into it.
      if (!hasBegun) await library.settle();
      try {
        const matched =
          hasBegun || known.size > 0
            ? null
            : await library.engine.count(query, { maxCandidates: maxCounted, signal });
        const page = await library.engine.search(query, { limit, after, signal });
        hasBegun = true;
        after = page.next;
        return {
          ...withMarks(
            library,
            page.items.filter(({ ref }) => !known.has(toItemKey(ref))),
          ),
          matched,
        };
      } catch (thrown) {
        throw toUnsupported(thrown);
      }
    },
  };
}

/** What a past search brought, in the order in which it did, with what is known of each Item by now. */
export function openRecordSource(library: Library, searchNumber: number): AnswerSource {
  let from = 0;
  let hasMore = true;
  return {
    origin: 'record',
    get hasMore() {
      return hasMore;
    },
    isIncomplete: false,
    async next(signal) {
      if (from === 0) await library.settle();
      signal.throwIfAborted();
      const found = library.runs.items(searchNumber, { from, limit: defaultPageSize + 1 });
      const page = found.slice(0, defaultPageSize);
      hasMore = found.length > page.length;
      from = (page.at(-1)?.position ?? from) + 1;
      const items = page.flatMap(({ ref }) => library.item(ref)?.value ?? []);
      return { ...withMarks(library, items), matched: null };
    },
  };
}

/** These Items as the library has them, in this order; those that it has no more are left out. */
export function openRefsSource(library: Library, refs: readonly ItemRef[]): AnswerSource {
  let from = 0;
  return {
    origin: 'record',
    get hasMore() {
      return from < refs.length;
    },
    isIncomplete: false,
    next(signal) {
      signal.throwIfAborted();
      const page = refs.slice(from, from + defaultPageSize);
      from += page.length;
      return Promise.resolve(
        withMarks(
          library,
          page.flatMap((ref) => library.item(ref)?.value ?? []),
        ),
      );
    },
  };
}

function withMarks(library: Library, items: readonly IdentifiedItem[]): AnswerPage {
  const marks = library.marksOf(items.map(({ ref }) => ref));
  const dates = marks.flatMap((mark) => (mark ? [mark.fetchedAtMs] : []));
  return {
    items: items.map((one, index) => {
      const { isPartial = one.isPartial ?? false, goneAtMs = null } = marks[index] ?? {};
      return { ...one, ...(isPartial ? { isPartial } : {}), ...(goneAtMs === null ? {} : { goneAtMs }) };
    }),
    skipped: [],
    matched: null,
    newestMs: dates.length > 0 ? Math.max(...dates) : null,
    oldestMs: dates.length > 0 ? Math.min(...dates) : null,
  };
}

/** What the library can't be asked is `library.question-unsupported`; any other error as it is. */
export function toUnsupported(thrown: unknown): unknown {
  if (!isAppError(thrown, 'stac.query-rejected')) return thrown;
  const { message, details } = thrown;
  return new AppError('library.question-unsupported', message, { details, cause: thrown });
}
