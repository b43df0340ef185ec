import proj4 from 'proj4';
import type { PictureCorners } from '#shared/stac/picture-corners.ts';
import { assetsOf } from '#shared/stac/asset.ts';
import { propertiesOf, type StacItem } from '#shared/stac/item.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import { utmSystem } from '../aoi/utm-system.ts';

/**
 * Where the corners of an Item's raster lie, by the projection extension; null where it doesn't say. A thumbnail shows
 * all of the raster, also where the footprint is only a part of it. All assets of a scene cover the same ground, so that
 * any of them tells.
 */
export function pictureCornersOf(item: StacItem): PictureCorners | null {
  const common = propertiesOf(item);
  for (const own of [{}, ...assetsOf(item).map(({ raw }) => raw)]) {
    const corners = cornersOf({ ...common, ...own });
    if (corners) return corners;
  }
  return null;
}

function cornersOf(facts: JsonObject): PictureCorners | null {
  const system = systemOf(facts);
  const [rows, columns] = numbersOf(facts['proj:shape']);
  const [a = NaN, b = NaN, c = NaN, d = NaN, e = NaN, f = NaN] = numbersOf(facts['proj:transform']);
  if (system === null || rows === undefined || columns === undefined) return null;
  const place = (column: number, row: number): [number, number] =>
    toDegrees(system, [a * column + b * row + c, d * column + e * row + f]);
  const corners: PictureCorners = [place(0, 0), place(columns, 0), place(columns, rows), place(0, rows)];
  const isOnEarth = corners.every(([x, y]) => Math.abs(x) <= 540 && Math.abs(y) <= 90);
  return isOnEarth ? corners : null;
}

function systemOf(facts: JsonObject): string | null {
  const code = facts['proj:code'];
  const named = typeof code === 'string' ? /^EPSG:(\d+)$/.exec(code)?.[1] : facts['proj:epsg'];
  const epsg = Number(named ?? NaN);
  if (epsg === 4326 || epsg === 3857) return `EPSG:${String(epsg)}`;
  const zone = epsg % 100;
  const isUtm = zone >= 1 && zone <= 60 && (epsg - zone === 32600 || epsg - zone === 32700);
  return isUtm ? utmSystem(zone, epsg > 32700) : null;
}

function toDegrees(system: string, position: [number, number]): [number, number] {
  // proj4 throws for what isn't finite.
  if (!position.every(Number.isFinite)) return [NaN, NaN];
  const [longitude, latitude] = system === 'EPSG:4326' ? position : proj4(system, 'EPSG:4326', position);
  return [longitude, latitude];
}

function numbersOf(value: unknown): number[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'number') ? value : [];
}
