import type { MultiPolygon, Point, Polygon } from 'geojson';
import { normaliseArea } from '#shared/geo/normalise-area.ts';
import { roundDegrees, toCorners, type Corner } from '#shared/geo/open-ring.ts';
import { polygonsOf } from '#shared/geo/polygons-of.ts';

/** A corner as it is typed: what is no number yet stays as typed. */
export interface TypedCorner {
  latitude: string;
  longitude: string;
}

/** One outline or hole of an area, its corners in order, or the one corner of a point. */
export interface EditableRing {
  polygon: number;
  /** `Outline`, `Outline 2`, `Hole 1 of outline 2`. */
  label: string;
  corners: readonly TypedCorner[];
}

const kmPerDegree = 111.195;

/** The rings of an area, ready to be typed into. */
export function toEditable(geometry: Point | Polygon | MultiPolygon): EditableRing[] {
  if (geometry.type === 'Point') {
    const [longitude = 0, latitude = 0] = geometry.coordinates;
    return [{ polygon: 0, label: 'Point', corners: [toTyped([longitude, latitude])] }];
  }
  const polygons = polygonsOf(geometry);
  return polygons.flatMap((rings, polygon) => {
    const outline = polygons.length === 1 ? 'Outline' : `Outline ${polygon + 1}`;
    return rings.map((ring, index) => ({
      polygon,
      label:
        index === 0 ? outline : `Hole ${index}${polygons.length === 1 ? '' : ` of outline ${polygon + 1}`}`,
      corners: toCorners(ring).map(toTyped),
    }));
  });
}

/** The area that typed rings make; null while a number is wrong or nothing is enclosed. */
export function fromEditable(rings: readonly EditableRing[]): Point | Polygon | MultiPolygon | null {
  if (rings.some(({ corners }) => corners.some((corner) => findProblem(corner) !== null))) return null;
  const [first] = rings;
  if (first?.label === 'Point') {
    const [corner] = first.corners.map(toCorner);
    return corner ? { type: 'Point', coordinates: corner } : null;
  }
  const polygons = new Map<number, Corner[][]>();
  for (const { polygon, corners } of rings) {
    polygons.set(polygon, [...(polygons.get(polygon) ?? []), corners.map(toCorner)]);
  }
  // Typed longitudes may go on beyond 180; what they say is meant.
  return normaliseArea([...polygons.values()], { isContinuous: true })?.geometry ?? null;
}

/** Which of a corner's numbers can't be used, and why; null when both can. */
export function findProblem(corner: TypedCorner): { field: keyof TypedCorner; why: string } | null {
  const [longitude, latitude] = toCorner(corner);
  if (!(Math.abs(latitude) <= 90)) return { field: 'latitude', why: 'From -90 to 90.' };
  if (!(Math.abs(longitude) <= 540)) return { field: 'longitude', why: 'From -180 to 180.' };
  return null;
}

/** All corners moved by so many kilometres. */
export function nudge(
  rings: readonly EditableRing[],
  { eastKm, northKm }: { eastKm: number; northKm: number },
): EditableRing[] {
  const latitudes = rings.flatMap(({ corners }) => corners.map((corner) => Number(corner.latitude)));
  const middle = latitudes.reduce((sum, latitude) => sum + latitude, 0) / Math.max(1, latitudes.length);
  const up = northKm / kmPerDegree;
  // One step for all keeps the shape in degrees; near a pole it would grow without end.
  const right = eastKm / kmPerDegree / Math.max(0.05, Math.cos((middle * Math.PI) / 180));
  return rings.map((ring) => ({
    ...ring,
    corners: ring.corners.map((corner) => {
      const [longitude, latitude] = toCorner(corner);
      if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) return corner;
      return toTyped([longitude + right, Math.max(-90, Math.min(90, latitude + up))]);
    }),
  }));
}

/** A new corner halfway to the next one. */
export function insertAfter(corners: readonly TypedCorner[], index: number): TypedCorner[] {
  const here = corners[index];
  const next = corners[(index + 1) % corners.length];
  if (!here || !next) return [...corners];
  const [a, b] = [toCorner(here), toCorner(next)];
  return corners.toSpliced(index + 1, 0, toTyped([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]));
}

function toTyped([longitude, latitude]: Corner): TypedCorner {
  return { latitude: String(roundDegrees(latitude)), longitude: String(roundDegrees(longitude)) };
}

function toCorner({ longitude, latitude }: TypedCorner): Corner {
  return [toNumber(longitude), toNumber(latitude)];
}

function toNumber(typed: string): number {
  return typed.trim() === '' ? NaN : Number(typed.trim().replace('−', '-'));
}
