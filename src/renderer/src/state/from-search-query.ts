import type { LocalFilter } from '#shared/search/local-filter.ts';
import type { PropertyQuery, SearchQuery } from '#shared/search/search-query.ts';
import type { Bbox } from '#shared/stac/bbox.ts';
import { cloudCover } from './cloud-cover.ts';
import { toPlace, type DraftArea } from './draft-area.ts';
import { fromFields } from './draft-fields.ts';
import { fromDatetime } from './draft-time.ts';
import { emptyDraft, type DraftCloud, type DraftCondition, type SearchDraft } from './search-draft.ts';
import { askedProperties } from './to-search-query.ts';

interface Rest {
  localFilter?: LocalFilter | null;
  /** Items overall; null is as many as one question may bring. */
  maxItems?: number | null;
  /** The draft before and the map's view: an area that is still the same keeps its name and its kind. */
  before?: { draft: SearchDraft; view: Bbox | null };
}

/** The draft of a question, such that `toSearchQuery` and `toLocalFilter` give the same question again. */
export function fromSearchQuery(query: SearchQuery, rest: Rest = {}): SearchDraft {
  const { localFilter = null, maxItems = emptyDraft.maxItems, before } = rest;
  const asked = query.query ?? {};
  const { cloud, conditions } = readConditions(asked, localFilter);
  return {
    ...emptyDraft,
    collectionIds: query.collections ?? [],
    ids: query.ids ?? [],
    area: readArea(query, before),
    time: fromDatetime(query.datetime),
    conditions,
    cloud: cloud.isLimited || !before ? cloud : { ...before.draft.cloud, isLimited: false },
    order: query.sortby ?? [],
    fields: fromFields(query.fields, askedProperties(asked)),
    pageSize: query.limit ?? null,
    maxItems: maxItems ?? emptyDraft.maxItems,
    idle: readIdle(query),
  };
}

function readConditions(
  query: PropertyQuery,
  localFilter: LocalFilter | null,
): { cloud: DraftCloud; conditions: DraftCondition[] } {
  const conditions = Object.entries(query)
    .filter(([, tests]) => Object.keys(tests).length > 0)
    .map(([property, tests]): DraftCondition => ({ property, tests }));
  if (localFilter) {
    const cloud = { isLimited: true, below: localFilter.cloudCoverBelow, includesUnknown: true };
    return { cloud, conditions };
  }
  const { lt, ...others } = Object.hasOwn(query, cloudCover) ? (query[cloudCover] ?? {}) : {};
  if (typeof lt !== 'number' || lt < 0 || lt > 100) return { cloud: emptyDraft.cloud, conditions };
  return {
    cloud: { isLimited: true, below: lt, includesUnknown: false },
    conditions: conditions.flatMap((one) => {
      if (one.property !== cloudCover) return [one];
      return Object.keys(others).length > 0 ? [{ property: cloudCover, tests: others }] : [];
    }),
  };
}

function readArea({ bbox, intersects }: SearchQuery, before: Rest['before']): DraftArea {
  const place = before && toPlace(before.draft.area, before.view);
  if (before && JSON.stringify([place?.bbox, place?.intersects]) === JSON.stringify([bbox, intersects])) {
    return before.draft.area;
  }
  if (bbox) return { kind: 'box', bbox };
  return intersects
    ? { kind: 'shape', geometry: intersects, origin: 'json', name: null }
    : { kind: 'everywhere' };
}

function readIdle({ collections, ids, query, sortby }: SearchQuery): Partial<SearchQuery> {
  const emptyMembers = Object.entries(query ?? {}).filter(([, tests]) => Object.keys(tests).length === 0);
  return {
    ...(collections?.length === 0 ? { collections: [] } : {}),
    ...(ids?.length === 0 ? { ids: [] } : {}),
    ...(sortby?.length === 0 ? { sortby: [] } : {}),
    ...(query && (emptyMembers.length > 0 || Object.keys(query).length === 0)
      ? { query: Object.fromEntries(emptyMembers) }
      : {}),
  };
}
