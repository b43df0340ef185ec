import type { DraftArea } from './draft-area.ts';

/** Orders that the service answers (catalog-service.md §4.6, Sortby Extension). */
export type DraftOrder = 'newest' | 'least-cloud';

/** A question as a person is putting it together; it may be incomplete. */
export interface SearchDraft {
  collectionIds: readonly string[];
  area: DraftArea;
  /** First day in UTC, `YYYY-MM-DD`; empty is open; what is no day stays as typed, and can't be asked. */
  fromDate: string;
  /** Last day in UTC, included; the same forms. */
  toDate: string;
  isCloudLimited: boolean;
  /** Per cent. */
  maxCloudCover: number;
  order: DraftOrder;
}

/** The question of a first start: everything. */
export const emptyDraft: SearchDraft = {
  collectionIds: [],
  area: { kind: 'everywhere' },
  fromDate: '',
  toDate: '',
  isCloudLimited: false,
  maxCloudCover: 30,
  order: 'newest',
};
