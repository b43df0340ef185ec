import type { Feature, Position } from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { WorldBox } from './footprint-set.ts';
import { toWorldX, toWorldY } from '#shared/geo/mercator.ts';
import { signedArea } from './rings.ts';
import { unwrapPositions } from './unwrap.ts';

/** Lakes and rivers as TopoJSON. */
export type WaterAtlas = Topology<{ lakes: GeometryCollection; rivers: GeometryCollection }>;

/** The TopoJSON of world-atlas: Natural Earth's countries and the land they make up. */
export type WorldAtlas = Topology<{
  countries: GeometryCollection<{ name: string }>;
  land: GeometryCollection;
}>;

/** A ring or line in world units, x and y in turn, with its box. */
export interface WorldLine {
  coordinates: Float64Array;
  box: WorldBox;
}

/** Where a country's name goes, and how wide the country is there (world units). */
export interface CountryName {
  name: string;
  x: number;
  y: number;
  width: number;
}

/** One level of detail of the basemap. */
export interface BasemapLevel {
  land: WorldLine[];
  /** The land's edge, without the map's own bottom edge under Antarctica. */
  coasts: WorldLine[];
  borders: WorldLine[];
  countries: CountryName[];
}

/** Inland water at one level of detail. */
export interface WaterLevel {
  lakes: WorldLine[];
  rivers: WorldLine[];
}

/** Everything the basemap draws of a TopoJSON, projected. */
export function readBasemap(atlas: WorldAtlas): BasemapLevel {
  const rings = ringsOf(feature(atlas, atlas.objects.land).features);
  return {
    land: rings.map(toWorldLine),
    coasts: rings.flatMap((ring) => cutAtMapEdge(unwrapPositions(ring))).map(toWorldLine),
    borders: mesh(atlas, atlas.objects.countries, (a, b) => a !== b).coordinates.map(toWorldLine),
    countries: readCountryNames(atlas),
  };
}

/** The lakes and rivers of a TopoJSON, projected. */
export function readWater(atlas: WaterAtlas): WaterLevel {
  const lines = feature(atlas, atlas.objects.rivers).features.flatMap(({ geometry }) =>
    geometry.type === 'MultiLineString'
      ? geometry.coordinates
      : geometry.type === 'LineString'
        ? [geometry.coordinates]
        : [],
  );
  return {
    lakes: ringsOf(feature(atlas, atlas.objects.lakes).features).map(toWorldLine),
    rivers: lines.map(toWorldLine),
  };
}

/** The source joins what the antimeridian cuts, so its longitudes jump; ours go on. */
function toWorldLine(positions: readonly Position[]): WorldLine {
  const unwrapped = unwrapPositions(positions);
  const coordinates = new Float64Array(unwrapped.length * 2);
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  unwrapped.forEach(([longitude, latitude], i) => {
    const x = toWorldX(longitude);
    const y = toWorldY(latitude);
    coordinates[i * 2] = x;
    coordinates[i * 2 + 1] = y;
    box.minX = Math.min(box.minX, x);
    box.maxX = Math.max(box.maxX, x);
    box.minY = Math.min(box.minY, y);
    box.maxY = Math.max(box.maxY, y);
  });
  return { coordinates, box };
}

function ringsOf(features: readonly Feature[]): Position[][] {
  return features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon'
      ? geometry.coordinates.flat()
      : geometry.type === 'Polygon'
        ? geometry.coordinates
        : [],
  );
}

function cutAtMapEdge(ring: readonly Position[]): Position[][] {
  const lines: Position[][] = [];
  let line: Position[] = [];
  for (const position of ring) {
    const previous = line.at(-1);
    if (previous && isAtMapEdge(previous) && isAtMapEdge(position)) {
      lines.push(line);
      line = [];
    }
    line.push(position);
  }
  lines.push(line);
  return lines.filter(({ length }) => length > 1);
}

/** Beyond the southernmost coast there are only the edges that close the continent on a map. */
function isAtMapEdge([, latitude = 0]: Position): boolean {
  return latitude < -85;
}

function readCountryNames(atlas: WorldAtlas): CountryName[] {
  return feature(atlas, atlas.objects.countries).features.flatMap(({ geometry, properties }) => {
    const rings =
      geometry.type === 'Polygon'
        ? geometry.coordinates.slice(0, 1)
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates.flatMap((polygon) => polygon.slice(0, 1))
          : [];
    const largest = rings
      .map(toWorldLine)
      .sort((a, b) => Math.abs(signedArea(b.coordinates)) - Math.abs(signedArea(a.coordinates)))[0];
    if (!largest || properties.name === 'Antarctica') return [];
    return [
      {
        name: properties.name,
        ...centroidOf(largest.coordinates),
        width: largest.box.maxX - largest.box.minX,
      },
    ];
  });
}

function centroidOf(ring: Float64Array): { x: number; y: number } {
  let x = 0;
  let y = 0;
  let area = 0;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = ring.subarray(i, i + 4);
    const cross = x0 * y1 - x1 * y0;
    area += cross;
    x += (x0 + x1) * cross;
    y += (y0 + y1) * cross;
  }
  return { x: x / (3 * area), y: y / (3 * area) };
}
