import type { RasterFrame } from '../files/raster-frame.ts';
import { moistureAt, summerness, temperatureAt } from '../geo/climate.ts';
import { fromUtm, toUtm, utmZoneAt, wrapDegrees, zoneOfEpsg } from '../geo/utm.ts';
import { reliefAt } from './relief.ts';

const cells = 16;

/** What is known of a place before any detail is drawn. */
export interface PlaceSample {
  lon: number;
  lat: number;
  /** Kilometres in the UTM zone: patterns live there, so that every picture of a place shows the same ones. */
  xKm: number;
  yKm: number;
  moisture: number;
  relief: number;
  /** °C at sea level. */
  temperature: number;
  /** 1 in high summer, -1 in deep winter. */
  summer: number;
}

/** Values of a node, in the order of PlaceSample. */
const width = 8;

/** Computes places on a coarse grid over a raster, and reads them for any pixel between. */
export class PlaceGrid {
  readonly sample: PlaceSample = {
    lon: 0,
    lat: 0,
    xKm: 0,
    yKm: 0,
    moisture: 0,
    relief: 0,
    temperature: 0,
    summer: 0,
  };
  readonly #nodes: Float64Array;
  readonly #perColumn: number;
  readonly #perRow: number;

  constructor(frame: RasterFrame, timeMs: number) {
    this.#perColumn = cells / frame.columns;
    this.#perRow = cells / frame.rows;
    this.#nodes = computeNodes(frame, timeMs);
  }

  /** Fills `sample` for the middle of a pixel. */
  read(column: number, row: number): PlaceSample {
    const x = (column + 0.5) * this.#perColumn;
    const y = (row + 0.5) * this.#perRow;
    const left = Math.min(cells - 1, Math.max(0, Math.floor(x)));
    const top = Math.min(cells - 1, Math.max(0, Math.floor(y)));
    const fx = x - left;
    const fy = y - top;
    const at = (top * (cells + 1) + left) * width;
    const { sample } = this;
    sample.lon = this.#between(at, fx, fy);
    sample.lat = this.#between(at + 1, fx, fy);
    sample.xKm = this.#between(at + 2, fx, fy);
    sample.yKm = this.#between(at + 3, fx, fy);
    sample.moisture = this.#between(at + 4, fx, fy);
    sample.relief = this.#between(at + 5, fx, fy);
    sample.temperature = this.#between(at + 6, fx, fy);
    sample.summer = this.#between(at + 7, fx, fy);
    return sample;
  }

  #between(at: number, fx: number, fy: number): number {
    const nodes = this.#nodes;
    const below = at + (cells + 1) * width;
    const upper = (nodes[at] as number) * (1 - fx) + (nodes[at + width] as number) * fx;
    const lower = (nodes[below] as number) * (1 - fx) + (nodes[below + width] as number) * fx;
    return upper + (lower - upper) * fy;
  }
}

function computeNodes(frame: RasterFrame, timeMs: number): Float64Array {
  const nodes = new Float64Array((cells + 1) ** 2 * width);
  const toLonLat = lonLatReader(frame);
  const [midLon, midLat] = toLonLat(0.5, 0.5);
  const zone = zoneOfEpsg(frame.epsg) ?? utmZoneAt(wrapDegrees(midLon), midLat);
  // Every zone counts its metres alike: without this all would show the same rivers.
  const shiftKm = zone.number * 1370 + (zone.isSouth ? 611 : 0);
  // The polar cap is wider than any zone.
  const isWide = frame.epsg === 4326 && frame.columns * frame.pixelSize > 20;
  for (let i = 0; i < (cells + 1) ** 2; i += 1) {
    const [lon, lat] = toLonLat((i % (cells + 1)) / cells, Math.floor(i / (cells + 1)) / cells);
    const [easting, northing] = isWide ? [lon * 12_000, lat * 111_000] : toUtm(zone, lon, lat);
    const place = [
      lon,
      lat,
      easting / 1000 + shiftKm,
      northing / 1000,
      moistureAt(lon, lat),
      reliefAt(lon, lat),
    ];
    nodes.set([...place, temperatureAt(timeMs, lat), summerness(timeMs, lat)], i * width);
  }
  return nodes;
}

function lonLatReader(
  frame: RasterFrame,
): (acrossShare: number, downShare: number) => [lon: number, lat: number] {
  const zone = zoneOfEpsg(frame.epsg);
  return (acrossShare, downShare) => {
    const x = frame.left + acrossShare * frame.columns * frame.pixelSize;
    const y = frame.top - downShare * frame.rows * frame.pixelSize;
    return zone ? fromUtm(zone, x, y) : [x, y];
  };
}
