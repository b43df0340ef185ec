import type { Geometry, Polygon } from 'geojson';
import { z } from 'zod';
import { isJsonObject, type JsonObject } from './json.ts';

const position = z.array(z.number()).min(2);
const line = z.array(position).min(2);
// RFC 7946 §3.1.6: a ring has four positions or more. Closing is the sender's duty; drawing tolerates an open one.
const ring = z.array(position).min(4);

const simpleGeometry = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('Point'), coordinates: position }),
  z.looseObject({ type: z.literal('MultiPoint'), coordinates: z.array(position) }),
  z.looseObject({ type: z.literal('LineString'), coordinates: line }),
  z.looseObject({ type: z.literal('MultiLineString'), coordinates: z.array(line) }),
  z.looseObject({ type: z.literal('Polygon'), coordinates: z.array(ring).min(1) }),
  z.looseObject({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(ring).min(1)) }),
]);

/** A GeoJSON geometry (RFC 7946 §3.1) whose numbers are numbers and whose rings are rings. Collections nest one level. */
export const geometrySchema = z.union([
  simpleGeometry,
  z.looseObject({ type: z.literal('GeometryCollection'), geometries: z.array(simpleGeometry) }),
]);

/** The geometry when it is a well-formed one, else null. */
export function toGeometry(value: unknown): Geometry | null {
  // Nearly all footprints; a page of them is judged before it is shown.
  if (isPolygon(value)) return value;
  const parsed = geometrySchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/**
 * As `toGeometry`, and a collection within a collection stands for its members: RFC 7946 §3.1.8 advises against that, and
 * doesn't forbid it.
 */
export function toFlatGeometry(value: unknown): Geometry | null {
  return toGeometry(isCollection(value) ? { ...value, geometries: membersOf(value) } : value);
}

function membersOf({ geometries }: { geometries: readonly unknown[] }): unknown[] {
  return geometries.flatMap((member) => (isCollection(member) ? membersOf(member) : [member]));
}

function isCollection(value: unknown): value is JsonObject & { geometries: unknown[] } {
  return isJsonObject(value) && value['type'] === 'GeometryCollection' && Array.isArray(value['geometries']);
}

function isPolygon(value: unknown): value is Polygon {
  if (!isJsonObject(value) || value['type'] !== 'Polygon') return false;
  const { coordinates } = value;
  return Array.isArray(coordinates) && coordinates.length > 0 && coordinates.every(isRing);
}

function isRing(value: unknown): boolean {
  return Array.isArray(value) && value.length >= 4 && value.every(isPosition);
}

function isPosition(value: unknown): boolean {
  return Array.isArray(value) && value.length >= 2 && value.every(Number.isFinite);
}
