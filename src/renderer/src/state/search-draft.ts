import type { Operand, SearchQuery } from '#shared/search/search-query.ts';
import type { DraftArea } from './draft-area.ts';
import { anyTime, type DraftTime } from './draft-time.ts';
import type { DraftFields } from './draft-fields.ts';

/** One property and what is asked of it. */
export interface DraftCondition {
  property: string;
  /** Operator → operand; all must hold. Empty: nothing is asked of it yet. */
  tests: Readonly<Record<string, Operand>>;
  /** Operator → what was typed and is no operand; it can't be asked. */
  unreadable?: Readonly<Record<string, string>>;
}

/** The limit of cloud cover, apart from other conditions because nearly every question has one. */
export interface DraftCloud {
  isLimited: boolean;
  /** Per cent; sent as `lt`, which the service documents. */
  below: number;
  /** Whether items of unknown cloud cover are wanted too: then the limit is applied here, not by the service. */
  includesUnknown: boolean;
}

/** How the answer is ordered, as the request writes it; none is newest first. */
export type DraftOrder = readonly NonNullable<SearchQuery['sortby']>[number][];

/** A question as a person is putting it together; it may be incomplete. */
export interface SearchDraft {
  collectionIds: readonly string[];
  /** Ids of Items; none is any. */
  ids: readonly string[];
  area: DraftArea;
  time: DraftTime;
  conditions: readonly DraftCondition[];
  cloud: DraftCloud;
  order: DraftOrder;
  fields: DraftFields;
  /** Items asked for at once; null leaves it to the service. */
  pageSize: number | null;
  /** Items overall. */
  maxItems: number;
  /** Members that ask for nothing (`collections: []`), kept as they were written. */
  idle: Partial<SearchQuery>;
}

/** Most items that one question brings. */
export const maxMaxItems = 100_000;

/** The question of a first start: everything. */
export const emptyDraft: SearchDraft = {
  collectionIds: [],
  ids: [],
  area: { kind: 'everywhere' },
  time: anyTime,
  conditions: [],
  cloud: { isLimited: false, below: 30, includesUnknown: false },
  order: [],
  fields: { kind: 'full' },
  // A page that arrives quickly and fills the list several times over.
  pageSize: 100,
  maxItems: 1000,
  idle: {},
};
