import { passesLocalFilter, type LocalFilter } from '#shared/search/local-filter.ts';
import { cloudCoverOf, type IdentifiedItem, type ItemRef, type StacItem } from '#shared/stac/item.ts';
import type { OpenedCatalog } from './open-catalog.ts';
import type { Output } from './output.ts';

/** What was printed of a search. */
export interface PrintSummary {
  pages: number;
  items: number;
  matched: number | null;
  skipped: { reason: string }[];
  /** Items of more cloud than was wanted, left out here. */
  leftOut: number;
  /** Items left out because an earlier look had them; null where that wasn't asked for. */
  seenBefore: number | null;
  /** Whether the catalog's pages came to no end, so that items may be missing. */
  isIncomplete: boolean;
}

/** What to print of an answer. */
export interface PrintOptions {
  stdout: Output;
  format: 'ndjson' | 'geojson';
  localFilter: LocalFilter | null;
  /** Items of the answer, counted after the local filter. */
  maxItems: number | null;
  /** Items to print, of these. */
  maxPrinted: number | null;
  /** Places of items that no earlier look had; null prints all. */
  findUnseen: ((refs: readonly ItemRef[]) => readonly number[]) | null;
  signal: AbortSignal;
}

type Pages = Pick<ReturnType<OpenedCatalog['access']['catalog']['search']>, 'next' | 'isIncomplete'>;

/**
 * Prints the items of a search as they come. `printed` are those that the reader took, all of them if `isWhole`;
 * `partialCount` says of how many of these only a part is known.
 */
export async function printItems(
  pages: Pages,
  options: PrintOptions,
): Promise<{ summary: PrintSummary; printed: ItemRef[]; partialCount: number; isWhole: boolean }> {
  const { stdout, format, findUnseen, signal } = options;
  const maxPrinted = options.maxPrinted ?? Infinity;
  const printer = format === 'geojson' ? createGeojsonPrinter(stdout) : createLinePrinter(stdout);
  const taker = createTaker(options);
  const printed: ItemRef[] = [];
  const { summary } = taker;
  let partialCount = 0;
  let isWanted = await printer.begin();
  while (isWanted && taker.left > 0 && printed.length < maxPrinted) {
    const page = await pages.next({ signal });
    if (!page) break;
    summary.pages++;
    summary.matched ??= page.matched;
    summary.skipped.push(...page.skipped);
    const taken = taker.take(page.items).slice(0, maxPrinted - printed.length);
    for (const { ref, item, isPartial } of taken) {
      isWanted = await printer.print(item);
      if (!isWanted) break;
      printed.push(ref);
      if (isPartial) partialCount += 1;
    }
  }
  await printer.end();
  summary.items = printed.length;
  summary.isIncomplete = pages.isIncomplete;
  if (!findUnseen) summary.seenBefore = null;
  return { summary, printed, partialCount, isWhole: isWanted };
}

/** Takes of each page what is wanted of it, and counts the rest. */
function createTaker({ localFilter, maxItems, findUnseen }: PrintOptions) {
  const summary: PrintSummary = {
    pages: 0,
    items: 0,
    matched: null,
    skipped: [],
    leftOut: 0,
    seenBefore: 0,
    isIncomplete: false,
  };
  let left = maxItems ?? Infinity;
  return {
    summary,
    get left() {
      return left;
    },
    take(items: readonly IdentifiedItem[]): IdentifiedItem[] {
      const passing = items.filter(({ item }) => passesLocalFilter(cloudCoverOf(item), localFilter));
      summary.leftOut += items.length - passing.length;
      const taken = passing.slice(0, left);
      left -= taken.length;
      if (!findUnseen) return taken;
      const unseen = new Set(findUnseen(taken.map(({ ref }) => ref)));
      summary.seenBefore = (summary.seenBefore ?? 0) + taken.length - unseen.size;
      return taken.filter((_, index) => unseen.has(index));
    },
  };
}

interface Printer {
  begin(): Promise<boolean>;
  print(item: StacItem): Promise<boolean>;
  end(): Promise<unknown>;
}

function createLinePrinter(stdout: Output): Printer {
  return {
    begin: () => Promise.resolve(true),
    print: (item) => stdout.write(`${JSON.stringify(item)}\n`),
    end: () => Promise.resolve(),
  };
}

function createGeojsonPrinter(stdout: Output): Printer {
  let separator = '\n';
  return {
    begin: () => stdout.write('{"type":"FeatureCollection","features":['),
    print: (item) => {
      const text = `${separator}${JSON.stringify(item)}`;
      separator = ',\n';
      return stdout.write(text);
    },
    end: () => stdout.write('\n]}\n'),
  };
}
