import type { JsonObject } from '#shared/stac/json.ts';

/** A number, with its ends where it has some. */
export function numberSchema(title: string, ends: { minimum?: number; maximum?: number } = {}): JsonObject {
  return { type: 'number', title, ...ends };
}

/** 0 to 100. */
export function percentSchema(title: string): JsonObject {
  return { type: 'number', title, minimum: 0, maximum: 100 };
}

/** A text; its values where there are few. */
export function textSchema(title: string, values?: readonly string[]): JsonObject {
  return values ? { type: 'string', title, enum: values } : { type: 'string', title };
}

/** True or false. */
export function booleanSchema(title: string): JsonObject {
  return { type: 'boolean', title };
}

/** A date and time in UTC. */
export function timeSchema(title: string): JsonObject {
  return { type: 'string', title, format: 'date-time', pattern: '(\\+00:00|Z)$' };
}

/** What every collection can be asked for. */
export const commonQueryables: Readonly<Record<string, JsonObject>> = {
  datetime: timeSchema('Acquired'),
  created: timeSchema('Created'),
  updated: timeSchema('Updated'),
  platform: textSchema('Platform'),
  constellation: textSchema('Constellation'),
  gsd: numberSchema('Ground sample distance (m)', { minimum: 0 }),
  'proj:code': textSchema('Projection'),
  'proj:epsg': numberSchema('EPSG code'),
};

/** What optical collections can be asked for. */
export const opticalQueryables: Readonly<Record<string, JsonObject>> = {
  ...commonQueryables,
  'eo:cloud_cover': percentSchema('Cloud cover (%)'),
  'view:sun_elevation': numberSchema('Sun elevation (°)', { minimum: -90, maximum: 90 }),
  'view:sun_azimuth': numberSchema('Sun azimuth (°)', { minimum: 0, maximum: 360 }),
  'view:off_nadir': numberSchema('Off-nadir angle (°)', { minimum: 0, maximum: 90 }),
};
