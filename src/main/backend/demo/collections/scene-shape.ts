import type { RasterFrame } from '../files/raster-frame.ts';
import { epsgOfZone, fromUtm, toUtm, utmZoneAt } from '../geo/utm.ts';

/** A scene on the ground: its outline, and the upright raster that holds it. */
export interface SceneShape {
  corners: [lon: number, lat: number][];
  ground: RasterFrame;
}

/** A rectangle lying along the flight direction, in an upright raster around the same middle. */
export function tiltedScene(
  middle: { lon: number; lat: number; heading: number },
  { acrossM, alongM, pixelSize, columns, rows }: SceneSize,
): SceneShape {
  const zone = utmZoneAt(middle.lon, middle.lat);
  const [easting, northing] = toUtm(zone, middle.lon, middle.lat);
  const angle = (middle.heading * Math.PI) / 180;
  const [along, across] = [
    [Math.sin(angle), Math.cos(angle)],
    [Math.cos(angle), -Math.sin(angle)],
  ] as const;
  const corners = (
    [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ] as const
  ).map(([right, ahead]) =>
    fromUtm(
      zone,
      easting + (across[0] * right * acrossM + along[0] * ahead * alongM) / 2,
      northing + (across[1] * right * acrossM + along[1] * ahead * alongM) / 2,
    ),
  );
  const snap = (metres: number): number => Math.round(metres / pixelSize) * pixelSize;
  const left = snap(easting - (columns * pixelSize) / 2);
  const top = snap(northing + (rows * pixelSize) / 2);
  return { corners, ground: { epsg: epsgOfZone(zone), left, top, pixelSize, columns, rows } };
}

interface SceneSize {
  acrossM: number;
  alongM: number;
  pixelSize: number;
  columns: number;
  rows: number;
}

/** The outline of an upright raster. */
export function outlineOf(ground: RasterFrame): [lon: number, lat: number][] {
  const { left, top } = ground;
  const right = left + ground.columns * ground.pixelSize;
  const bottom = top - ground.rows * ground.pixelSize;
  const corners: [number, number][] = [
    [left, top],
    [left, bottom],
    [right, bottom],
    [right, top],
  ];
  if (ground.epsg === 4326) return corners;
  const zone = { number: ground.epsg % 100, isSouth: ground.epsg > 32700 };
  return corners.map(([x, y]) => fromUtm(zone, x, y));
}
