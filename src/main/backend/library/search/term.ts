import type { ColumnChunk } from '../columns/column-chunk.ts';
import type { FootprintChunk } from '../columns/footprint-chunk.ts';
import type { SlotSelection } from './slot-selection.ts';
import type { Bbox } from '#shared/stac/bbox.ts';
import type { StacItem } from '#shared/stac/item.ts';

/** What columns say of an Item: it doesn't match, it does, or the Item has to be looked at. */
export const verdicts = { no: 0, yes: 1, unsure: 2 } as const;

/** One of `verdicts`. */
export type Verdict = (typeof verdicts)[keyof typeof verdicts];

/** The columns of one block of Items. */
export interface BlockColumns {
  /** Null where none of its Items has a value. */
  column(name: string): ColumnChunk | null;
  footprints(): FootprintChunk | null;
  /** Whether a property without a column may be there all the same. */
  isOverflowing: boolean;
}

/** Decides by columns. */
export interface SlotTest {
  /** For the Item in a slot of the block. */
  judge(slot: number): Verdict;
  /** For all that a selection holds; in a loop of its own, because a call for each slot takes most of the time. */
  sift(selection: SlotSelection): void;
}

/** What a row and its JSON say of one Item. */
export interface ItemFacts {
  pk: number;
  collectionPk: number;
  id: string;
  startMicros: number | null;
  endMicros: number | null;
  box: Bbox | null;
  /** Unpacked when first asked for. */
  item(): StacItem;
}

/** One part of a query; all of them have to be met. */
export interface Term {
  /** Whether `accepts` unpacks the Item. */
  readsItem: boolean;
  /** By columns: for each Item of a block, or one verdict for all of them. */
  bind(columns: BlockColumns): SlotTest | Verdict;
  /** For good, by the Item itself. */
  accepts(facts: ItemFacts): boolean;
}
