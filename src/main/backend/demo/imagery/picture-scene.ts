import type { JsonObject } from '#shared/stac/json.ts';
import { footprintOf, propertiesOf, timeOf, type StacItem } from '#shared/stac/item.ts';
import type { RasterFrame } from '../files/raster-frame.ts';
import { toUtm, zoneOfEpsg } from '../geo/utm.ts';
import { hashText } from '../random.ts';

/** How a scene is shown. */
export type PictureStyle = 'optical' | 'radar' | 'cloud-mask' | 'forest-mask';

/** Everything that a picture of an item depends on. The ground depends on the place alone, the sky on the item. */
export interface PictureScene {
  style: PictureStyle;
  ground: RasterFrame;
  /** Convex outlines of the footprint in the ground's coordinates; outside there is no data. */
  outlines: [x: number, y: number][][];
  timeMs: number;
  /** 0 to 1. */
  cloudShare: number;
  /** Degrees. */
  sunElevation: number;
  sunAzimuth: number;
  /** A mask shares it with the scene that it was made from, and so the clouds. */
  skySeed: number;
}

/** Reads what a picture needs; null when the item is not one that this catalog made. */
export function toPictureScene(item: StacItem): PictureScene | null {
  const properties = propertiesOf(item);
  const ground = readGround(properties);
  if (ground === null) return null;
  const cloudCover = numberOr(properties['eo:cloud_cover'], properties['eo:cloud_cover'] === null ? 35 : 0);
  const source = properties['eda:derived_from_item_id'];
  return {
    style: styleOf(item.id, properties),
    ground,
    outlines: readOutlines(item, ground),
    timeMs: (timeOf(item).datetimeMicros ?? 0) / 1000,
    cloudShare: cloudCover / 100,
    sunElevation: numberOr(properties['view:sun_elevation'], 48),
    sunAzimuth: numberOr(properties['view:sun_azimuth'], 150),
    skySeed: hashText(typeof source === 'string' ? source : item.id),
  };
}

/** The item's raster from the projection extension's properties. */
export function readGround(properties: JsonObject): RasterFrame | null {
  const { 'proj:epsg': epsg, 'proj:shape': shape, 'proj:transform': transform } = properties;
  if (typeof epsg !== 'number' || !Array.isArray(shape) || !Array.isArray(transform)) return null;
  const [rows, columns] = shape.map(Number);
  const [pixelSize, , left, , , top] = transform.map(Number);
  if (rows === undefined || columns === undefined || pixelSize === undefined) return null;
  return left === undefined || top === undefined ? null : { epsg, left, top, pixelSize, columns, rows };
}

function styleOf(id: string, properties: JsonObject): PictureStyle {
  if ('sar:instrument_mode' in properties) return 'radar';
  if (properties['eda:product_type'] === 'AG_CLOUD_MASK') return 'cloud-mask';
  return id.startsWith('forestmask') ? 'forest-mask' : 'optical';
}

function readOutlines(item: StacItem, ground: RasterFrame): [number, number][][] {
  const geometry = footprintOf(item);
  const polygons =
    geometry?.type === 'Polygon'
      ? [geometry.coordinates]
      : geometry?.type === 'MultiPolygon'
        ? geometry.coordinates
        : [];
  const zone = zoneOfEpsg(ground.epsg);
  return polygons.flatMap(([ring]) => {
    if (ring === undefined) return [];
    return [ring.map(([lon = 0, lat = 0]): [number, number] => (zone ? toUtm(zone, lon, lat) : [lon, lat]))];
  });
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}
