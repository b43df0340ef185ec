import type { Database } from 'better-sqlite3';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { ColumnReader } from '../columns/column-reader.ts';
import type { CollectionKeys } from '../collection-keys.ts';
import type { LibraryPage, PagePosition, SearchEngine } from '../library.ts';
import { Candidates } from './candidates.ts';
import { compileQuery, type CompiledQuery } from './compile-query.ts';
import { Decider, type Matches } from './decider.ts';
import { ItemRows, type ItemRecord } from './item-rows.ts';
import { readRuns } from './order-runs.ts';
import { gatherFront, OrderFronts, placeAfter } from './order-front.ts';
import { OrderWalk } from './order-walk.ts';
import { createPageSieve, nearest, orderPage, type PageWish } from './page-order.ts';
import type { QueryablesOf } from './property-conditions.ts';
import type { RowPosition } from './sort-order.ts';

interface EngineParts {
  database: Database;
  keys: CollectionKeys;
  queryablesOf: QueryablesOf;
}

/** Up to so many candidates are judged one by one. With more, the answer's own order is walked for a while... */
const fewCandidates = 3000;
/** ...to see whether at least this share of it matches. If not, the candidates are judged unless there are too many. */
const walkedToTry = 300;
const shareToWalk = 0.02;
const maxCandidates = 50_000;
/** Items that are walked before all columns are looked at instead: then few match. */
const maxWalked = 4000;
/** Memory for columns, which hold about 80 bytes an Item where all are asked for. */
const maxColumnBytes = 64_000_000;

/** A page so far. */
interface BegunPage {
  found: number[];
  /** How many Items were looked through for it. */
  walked: number;
  /** The place in the order up to which was looked. */
  last: RowPosition | null;
  /** Whether there is nothing behind it. */
  isAtEnd: boolean;
}

/** The engine that answers offline search and the local catalog service alike. */
export function createSearchEngine({ database, keys, queryablesOf }: EngineParts): SearchEngine {
  const reader = new ColumnReader(database, { maxBytes: maxColumnBytes });
  const rows = new ItemRows(database);
  const candidates = new Candidates(database);
  const fronts = new OrderFronts();
  const compile = (query: SearchQuery): CompiledQuery =>
    compileQuery(query, { collections: keys.all(), queryablesOf });
  const changeMark = database.prepare<[], number>('PRAGMA data_version').pluck();

  /** In order, and at most `limit` of them. */
  async function findPage(
    compiled: CompiledQuery,
    { limit, after, signal }: { limit: number; after: RowPosition | null; signal: AbortSignal | undefined },
  ): Promise<number[]> {
    const decider = new Decider(compiled, { reader, rows, signal });
    const wish = { order: compiled.order, after, limit };
    const few = candidates.findFew(compiled, fewCandidates);
    if (few) return chooseFew(decider, few, wish);
    const begun = await beginInFront(decider, compiled, wish);
    if (begun.found.length >= limit || begun.isAtEnd) return begun.found;
    return walkOn(decider, compiled, { wish, begun });
  }

  /** What the front of the order has of a page, where there is one. */
  async function beginInFront(decider: Decider, compiled: CompiledQuery, wish: PageWish): Promise<BegunPage> {
    const { order, onlyCollectionPk: collectionPk } = compiled;
    const nothing = { found: [], walked: 0, last: wish.after, isAtEnd: false };
    const front = await fronts.find({ order, collectionPk }, decider.coverage, async () =>
      gatherFront(await startWalk(decider, compiled, null), decider),
    );
    if (!front) return nothing;
    const from = wish.after ? placeAfter(front, wish.after.sortValue) : 0;
    if (from === null) return nothing;
    const found = await decider.chooseInFront(front, { from, limit: wish.limit });
    const [last = null] = rows.load(front.pks.slice(-1), order);
    // It was taken out a moment ago: then nothing tells where to go on.
    if (!last && !front.isAll) return nothing;
    return { found, walked: front.pks.length - from, last, isAtEnd: front.isAll };
  }

  async function walkOn(
    decider: Decider,
    compiled: CompiledQuery,
    { wish, begun }: { wish: PageWish; begun: BegunPage },
  ): Promise<number[]> {
    const { limit } = wish;
    const { found } = begun;
    let { walked } = begun;
    let walk: OrderWalk | null = null;
    let mayHaveCandidates = compiled.area !== null;
    for (let size = limit; ; size = Math.min(2 * size, 1000)) {
      if (mayHaveCandidates && walked >= walkedToTry) {
        mayHaveCandidates = false;
        const many = found.length < walked * shareToWalk ? candidates.find(compiled, maxCandidates) : null;
        if (many) return chooseFirst(decider, decider.place(many), wish);
      }
      if (walked >= maxWalked && found.length <= limit / 2) break;
      walk ??= await startWalk(decider, compiled, begun.last);
      for (const pk of (await decider.choose(walk.next(size))).pks) found.push(pk);
      if (walk.isAtEnd || found.length >= limit) return found.slice(0, limit);
      walked += size;
    }
    return orderPage(database, await decider.scan(createPageSieve(wish)), wish);
  }

  async function startWalk(
    decider: Decider,
    { order, onlyCollectionPk: collectionPk }: CompiledQuery,
    after: RowPosition | null,
  ): Promise<OrderWalk> {
    const runs = await readRuns(
      { database, reader, coverage: decider.coverage, rest: () => decider.rest() },
      { order, collectionPk },
    );
    const sortValueOf = (pk: number) => decider.sortValueOf(pk);
    return new OrderWalk(database, { runs, order, after, collectionPk, sortValueOf });
  }

  /** Of those in cells near a small area a quarter may match: then most have to be judged for one page. */
  async function chooseFew(decider: Decider, few: readonly number[], wish: PageWish): Promise<number[]> {
    if (few.length > 8 * wish.limit) return chooseFirst(decider, decider.place(few), wish);
    return orderPage(database, await decider.choose(few), wish);
  }

  /** Judges no more of the candidates than the page needs. */
  async function chooseFirst(decider: Decider, candidates: Matches, wish: PageWish): Promise<number[]> {
    for (let count = 2 * wish.limit; ; count *= 4) {
      const near = nearest(candidates, { ...wish, limit: count });
      const matches = await decider.choose(near.pks);
      const beyondCount = matches.sortValues.filter((value) => value !== wish.after?.sortValue).length;
      if (near.last === null || beyondCount >= wish.limit) return orderPage(database, matches, wish);
    }
  }

  async function findRecords(
    compiled: CompiledQuery,
    page: { limit: number; after: RowPosition | null; signal: AbortSignal | undefined },
  ): Promise<ItemRecord[]> {
    for (;;) {
      const mark = changeMark.get();
      const pks = await findPage(compiled, page);
      const byPk = new Map(
        rows.load(pks, compiled.order, { withItems: true }).map((record) => [record.pk, record]),
      );
      const records = pks.flatMap((pk) => byPk.get(pk) ?? []);
      // What was written meanwhile may have changed one of them.
      const hold =
        records.length === pks.length &&
        (changeMark.get() === mark ||
          records.every((record) => compiled.terms.every((term) => term.accepts(record))));
      if (hold) return records;
      page.signal?.throwIfAborted();
    }
  }

  return {
    async search(query, { limit, after = null, signal }) {
      signal?.throwIfAborted();
      const compiled = compile(query);
      if (compiled.isImpossible) return { items: [], next: null };
      // One more than the page holds tells whether there is another page.
      const records = await findRecords(compiled, {
        limit: limit + 1,
        after: toRowPosition(after, keys),
        signal,
      });
      return toPage(records, limit, keys);
    },

    async count(query, { maxCandidates: maxReads, signal }) {
      signal?.throwIfAborted();
      const compiled = compile(query);
      if (compiled.isImpossible) return 0;
      const decider = new Decider(compiled, { reader, rows, signal });
      const near = candidates.find(compiled, maxCandidates);
      if (!near) return decider.count({ maxReads });
      const { pks } = await decider.choose(near);
      return decider.readCount > maxReads ? null : pks.length;
    },

    async summarise(query, { properties, signal }) {
      signal?.throwIfAborted();
      const compiled = compile(query);
      const decider = new Decider(compiled, { reader, rows, signal });
      const near = compiled.isImpossible ? [] : candidates.find(compiled, maxCandidates);
      const { pks } = near ? await decider.choose(near) : await decider.scan();
      return (await decider.summarise(pks, properties)).build(keys.all());
    },
  };
}

function toRowPosition(after: PagePosition | null, keys: CollectionKeys): RowPosition | null {
  if (!after) return null;
  const collectionPk = keys.findKey(after.collectionId) ?? Number.MAX_SAFE_INTEGER;
  return { sortValue: after.sortValue, id: after.itemId, collectionPk };
}

function toPage(records: readonly ItemRecord[], limit: number, keys: CollectionKeys): LibraryPage {
  const idByPk = new Map(keys.all().map(({ pk, id }) => [pk, id]));
  const refOf = (record: ItemRecord) => ({
    collectionId: idByPk.get(record.collectionPk) ?? '',
    itemId: record.id,
  });
  const shown = records.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map((record) => ({
      ref: refOf(record),
      item: record.item(),
      ...(record.isPartial ? { isPartial: true } : {}),
    })),
    next: records.length > limit && last ? { sortValue: last.sortValue, ...refOf(last) } : null,
  };
}
