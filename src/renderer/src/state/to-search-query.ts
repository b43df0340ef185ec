import type { SearchQuery } from '#shared/search/search-query.ts';
import { splitAtAntimeridian, type Bbox } from '#shared/stac/bbox.ts';
import { formatDatetime } from '#shared/stac/datetime-interval.ts';
import { geometrySchema } from '#shared/stac/geometry.ts';
import { isDay } from './day-range.ts';
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
    ...toPlace(draft, view),
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

function toPlace({ area }: SearchDraft, view: Bbox | null): Pick<SearchQuery, 'bbox' | 'intersects'> {
  if (area.kind === 'drawn') return { intersects: geometrySchema.parse(area.geometry) };
  if (area.kind === 'everywhere' || !view) return {};
  const rounded = roundBbox(view);
  const parts = splitAtAntimeridian(rounded);
  // Servers read a box with west > east as one around the other side of the globe (field notes §2).
  return parts.length === 1
    ? { bbox: [...rounded] }
    : { intersects: { type: 'MultiPolygon', coordinates: parts.map((part) => [ringOf(part)]) } };
}

// About a metre; a view's further digits mean nothing and make the request hard to read.
function roundBbox([west, south, east, north]: Bbox): Bbox {
  return [roundDegrees(west), roundDegrees(south), roundDegrees(east), roundDegrees(north)];
}

function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

function ringOf([west, south, east, north]: Bbox): number[][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}
