import type { SearchQuery } from '#shared/search/search-query.ts';
import type { Bbox } from '#shared/stac/bbox.ts';
import { formatDatetime } from '#shared/stac/datetime-interval.ts';
import { isDay } from './day-range.ts';
import { toPlace } from './draft-area.ts';
import type { SearchDraft } from './search-draft.ts';

/** Items asked for at once: a page that arrives quickly and fills the list several times over. */
export const pageSize = 100;

/** What a draft's meaning depends on beside itself. */
export interface DraftSurroundings {
  /** The map's view; null before the map is there. */
  view: Bbox | null;
  /** Whether any chosen collection has cloud cover: else no condition and no order may name it. */
  hasCloudCover: boolean;
}

/** The question that a draft asks, as it goes to the catalog. */
export function toSearchQuery(draft: SearchDraft, { view, hasCloudCover }: DraftSurroundings): SearchQuery {
  const datetime = toDatetime(draft);
  return {
    ...(draft.collectionIds.length > 0 ? { collections: [...draft.collectionIds] } : {}),
    ...(datetime === undefined ? {} : { datetime }),
    ...toPlace(draft.area, view),
    ...(hasCloudCover && draft.isCloudLimited
      ? { query: { 'eo:cloud_cover': { lte: draft.maxCloudCover } } }
      : {}),
    ...(hasCloudCover && draft.order === 'least-cloud'
      ? { sortby: [{ field: 'properties.eo:cloud_cover', direction: 'asc' as const }] }
      : {}),
    limit: pageSize,
  };
}

// Days are whole days in UTC: from their first to their last millisecond.
function toDatetime({ fromDate, toDate }: SearchDraft): string | undefined {
  return formatDatetime({
    ...(isDay(fromDate) ? { start: `${fromDate}T00:00:00Z` } : {}),
    ...(isDay(toDate) ? { end: `${toDate}T23:59:59.999Z` } : {}),
  });
}
