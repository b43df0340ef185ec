import type { ItemRef } from '#shared/stac/item.ts';
import type { DamagedPages } from '../library/upkeep/damaged-pages.ts';
import type { FoundRow, RowValue } from '../library/upkeep/damaged-rows.ts';
import { findTreePages } from '../library/upkeep/damaged-trees.ts';

/** Items that were marked, by the number of their saved search. */
export type MarkedItems = ReadonlyMap<number, readonly ItemRef[]>;

/** The marks of Items in a damaged notebook. */
export interface FoundMarks {
  /** What a person has seen. */
  seen: MarkedItems;
  /** What a person has seen, or a rule has dealt with: it can't be told any more. */
  either: MarkedItems;
}

/**
 * Gathers the marks of Items that persons have seen. Those that rules made before they told assets apart have rows that are
 * alike; which is which is told by the table that a page belongs to, where what leads there can still be read.
 */
export class MarkCollector {
  readonly #marksOfPages = new Map<number, { searchId: number; ref: ItemRef }[]>();
  readonly #rootsOfTables = new Map<string, Set<number>>();

  /** Takes note of a row where it is of such a table, or says where such a table begins. */
  add({ rowNumber, values }: FoundRow, pageNumber: number): void {
    if (rowNumber === null) this.#addMark(values, pageNumber);
    else this.#addTable(values);
  }

  /** All marks, once every page was read. */
  find(pages: DamagedPages): FoundMarks {
    const seenPages = this.#pagesOf('seen_item', pages);
    const rulePages = this.#pagesOf('rule_item', pages);
    const seen = new Map<number, ItemRef[]>();
    const either = new Map<number, ItemRef[]>();
    for (const [pageNumber, marks] of this.#marksOfPages) {
      const [isSeen, isOfRule] = [seenPages.has(pageNumber), rulePages.has(pageNumber)];
      if (isOfRule && !isSeen) continue;
      // A damaged page may lead to those of another table.
      const found = isSeen && !isOfRule ? seen : either;
      for (const { searchId, ref } of marks) listOf(found, searchId).push(ref);
    }
    return { seen, either };
  }

  #addMark(values: readonly RowValue[], pageNumber: number): void {
    const [searchId, collectionId, itemId] = values;
    if (values.length !== 3 || typeof searchId !== 'number') return;
    if (typeof collectionId !== 'string' || typeof itemId !== 'string') return;
    listOf(this.#marksOfPages, pageNumber).push({ searchId, ref: { collectionId, itemId } });
  }

  // A row of `sqlite_schema`: kind, name, table, root page, SQL.
  #addTable(values: readonly RowValue[]): void {
    const [kind, name, , rootPage] = values;
    if (values.length !== 5 || kind !== 'table') return;
    if (typeof name !== 'string' || typeof rootPage !== 'number') return;
    this.#rootsOfTables.set(name, (this.#rootsOfTables.get(name) ?? new Set()).add(rootPage));
  }

  #pagesOf(table: string, pages: DamagedPages): ReadonlySet<number> {
    const [rootPage, ...others] = this.#rootsOfTables.get(table) ?? [];
    // Of two the one is from before, and its pages may be another table's now.
    return rootPage === undefined || others.length > 0 ? new Set() : findTreePages(pages, rootPage);
  }
}

function listOf<Value>(lists: Map<number, Value[]>, key: number): Value[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
