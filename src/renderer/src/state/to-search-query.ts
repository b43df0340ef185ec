import type { LocalFilter } from '#shared/search/local-filter.ts';
import type { Operand, PropertyQuery, SearchQuery } from '#shared/search/search-query.ts';
import type { Bbox } from '#shared/stac/bbox.ts';
import { cloudCover } from './cloud-cover.ts';
import { toPlace } from './draft-area.ts';
import { toFields } from './draft-fields.ts';
import { toDatetime } from './draft-time.ts';
import type { SearchDraft } from './search-draft.ts';

/** The question that a draft asks, as it goes to the catalog. `view` is the map's; null before the map is there. */
export function toSearchQuery(draft: SearchDraft, { view }: { view: Bbox | null }): SearchQuery {
  const { collectionIds, ids, area, time, order, pageSize, idle } = draft;
  const datetime = toDatetime(time);
  const query = toPropertyQuery(draft);
  const fields = toFields(draft.fields, askedProperties(query));
  return {
    ...idle,
    ...(collectionIds.length > 0 ? { collections: [...collectionIds] } : {}),
    ...(ids.length > 0 ? { ids: [...ids] } : {}),
    ...(datetime === undefined ? {} : { datetime }),
    ...toPlace(area, view),
    ...(Object.keys(query).length > 0 ? { query } : {}),
    ...(order.length > 0 ? { sortby: order.map((term) => ({ ...term })) } : {}),
    ...(fields === undefined ? {} : { fields }),
    ...(pageSize === null ? {} : { limit: pageSize }),
  };
}

/** What is applied here to the answer, because the service can't be asked for it (catalog-service.md §4.6, rule 1). */
export function toLocalFilter({ cloud }: SearchDraft): LocalFilter | null {
  return cloud.isLimited && cloud.includesUnknown ? { cloudCoverBelow: cloud.below } : null;
}

/** Properties that a request has conditions on; light Items carry them. */
export function askedProperties(query: PropertyQuery): string[] {
  return Object.keys(query).filter((property) => Object.keys(query[property] ?? {}).length > 0);
}

function toPropertyQuery({ conditions, cloud, idle }: SearchDraft): PropertyQuery {
  const limit: Record<string, Operand> = cloud.isLimited && !cloud.includesUnknown ? { lt: cloud.below } : {};
  const all = [...conditions, { property: cloudCover, tests: limit }];
  // Names come from outside: `__proto__` is one like any other.
  const members = new Map<string, Record<string, Operand>>(Object.entries(idle.query ?? {}));
  for (const { property, tests } of all) {
    if (Object.keys(tests).length > 0) members.set(property, { ...members.get(property), ...tests });
  }
  return Object.fromEntries(members);
}
