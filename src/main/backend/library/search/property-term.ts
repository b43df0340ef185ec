import { satisfies, type QueryOperator } from '#shared/search/query-operators.ts';
import type { Operand } from '#shared/search/search-query.ts';
import { propertiesOf } from '#shared/stac/item.ts';
import { toEpochMicros } from '#shared/stac/timestamp.ts';
import {
  firstCode,
  formatMicros,
  hashText,
  lookAtItem,
  noValue,
  type ColumnChunk,
  type DictionaryChunk,
  type HashChunk,
  type TimeChunk,
  type ValuePool,
} from '../columns/column-chunk.ts';
import { propertyColumn } from '../columns/column-names.ts';
import { bindNumbers } from './number-test.ts';
import { createSlotTest, createTableTest } from './slot-selection.ts';
import { verdicts, type SlotTest, type Term, type Verdict } from './term.ts';

/** One operator on one property. */
export interface PropertyCondition {
  property: string;
  operator: QueryOperator;
  operand: Operand;
}

/** The Query extension's condition as a part of a query: `satisfies` for each Item, told by columns where they can. */
export function createPropertyTerm(condition: PropertyCondition): Term {
  const { property, operator, operand } = condition;
  const name = propertyColumn(property);
  const readDictionary = createDictionaryReader(condition);
  return {
    readsItem: true,
    accepts: (facts) => satisfies(propertiesOf(facts.item())[property], operator, operand),
    bind(columns) {
      const chunk = columns.column(name);
      if (!chunk) return columns.isOverflowing ? verdicts.unsure : verdicts.no;
      return bindChunk(chunk);
    },
  };

  function bindChunk(chunk: ColumnChunk): SlotTest | Verdict {
    switch (chunk.kind) {
      case 'numbers':
        return bindNumbers(chunk, operator, operand);
      case 'times':
        return bindTimes(chunk, condition);
      case 'dictionary':
        return readDictionary(chunk);
      case 'hashes':
        return bindHashes(chunk, condition);
    }
  }
}

// Each distinct value is judged once, however many blocks list it.
function createDictionaryReader({
  operator,
  operand,
}: PropertyCondition): (chunk: DictionaryChunk) => SlotTest | Verdict {
  let judgedPool: ValuePool | null = null;
  let judged: Verdict[] = [];
  const judge = (pool: ValuePool, place: number): Verdict =>
    (judged[place] ??= satisfies(pool.values[place], operator, operand) ? verdicts.yes : verdicts.no);
  return ({ codes, places, pool }) => {
    if (pool !== judgedPool) judged = [];
    judgedPool = pool;
    const table = new Uint8Array(places.length + firstCode);
    table[noValue] = verdicts.no;
    table[lookAtItem] = verdicts.unsure;
    places.forEach((place, index) => (table[index + firstCode] = judge(pool, place)));
    const isNone = !table.includes(verdicts.yes) && !codes.includes(lookAtItem);
    return isNone ? verdicts.no : createTableTest(codes, table);
  };
}

// Two timestamps are compared as instants, a timestamp with another text as texts.
function bindTimes(chunk: TimeChunk, { operator, operand }: PropertyCondition): SlotTest | Verdict {
  const { values, digits } = chunk;
  const inMicros = toMicros(operand);
  if (inMicros !== undefined) return bindNumbers({ values, scale: 1 }, operator, inMicros);
  return createSlotTest((slot) => {
    const value = values[slot] ?? NaN;
    const isMet = value === value && satisfies(formatMicros(value, digits), operator, operand);
    return isMet ? verdicts.yes : verdicts.no;
  });
}

// Undefined where not everything is a timestamp.
function toMicros(operand: Operand): number | number[] | undefined {
  if (Array.isArray(operand)) {
    // What is no timestamp equals none.
    return operand.flatMap((one) => (typeof one === 'string' ? (toEpochMicros(one) ?? []) : []));
  }
  return typeof operand === 'string' ? (toEpochMicros(operand) ?? undefined) : undefined;
}

function bindHashes({ hashes }: HashChunk, { operator, operand }: PropertyCondition): SlotTest | Verdict {
  const texts = (Array.isArray(operand) ? operand : [operand]).filter((one) => typeof one === 'string');
  const wanted = new Set(texts.map(hashText));
  const [ifAlike, ifOther] = verdictsOfHash(operator, operand);
  const isFew = wanted.size <= 4 && ifOther === verdicts.no;
  if (isFew && ![lookAtItem, ...wanted].some((hash) => hashes.includes(hash))) return verdicts.no;
  return createSlotTest((slot) => {
    const hash = hashes[slot] ?? noValue;
    if (hash === noValue) return verdicts.no;
    if (hash === lookAtItem) return verdicts.unsure;
    return wanted.has(hash) ? ifAlike : ifOther;
  });
}

// Of a text whose hash is that of an operand, and of another text.
function verdictsOfHash(operator: QueryOperator, operand: Operand): [alike: Verdict, other: Verdict] {
  switch (operator) {
    case 'eq':
    case 'in':
      return [verdicts.unsure, verdicts.no];
    case 'neq':
      return [verdicts.unsure, operand === null || Array.isArray(operand) ? verdicts.no : verdicts.yes];
    default:
      return typeof operand === 'string' ? [verdicts.unsure, verdicts.unsure] : [verdicts.no, verdicts.no];
  }
}
