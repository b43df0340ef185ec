import landTopology from 'world-atlas/land-50m.json' with { type: 'json' };
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** A closed outline of land (or of a lake inside land): lon, lat, lon, lat, … in degrees, running on past ±180. */
export interface LandRing {
  positions: Float64Array;
  west: number;
  south: number;
  east: number;
  north: number;
}

const maskStep = 0.1;
const maskColumns = 3600;
const maskRows = 1800;

let rings: LandRing[] | null = null;
let mask: Uint8Array | null = null;

/** Every outline. A place is land when a ray from it crosses them an odd number of times. */
export function landRings(): readonly LandRing[] {
  rings ??= readRings();
  return rings;
}

/** Whether a place is land, to a tenth of a degree. */
export function isLandAt(lon: number, lat: number): boolean {
  mask ??= drawMask(landRings());
  const column = Math.floor(((((lon + 180) % 360) + 360) % 360) / maskStep);
  const row = Math.min(maskRows - 1, Math.max(0, Math.floor((90 - lat) / maskStep)));
  return mask[row * maskColumns + column] === 1;
}

function readRings(): LandRing[] {
  const topology = landTopology as unknown as Topology<{ land: GeometryCollection }>;
  return feature(topology, topology.objects.land).features.flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return geometry.coordinates.map(toRing);
    return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat().map(toRing) : [];
  });
}

function toRing(ring: readonly (readonly number[])[]): LandRing {
  const positions = new Float64Array(ring.length * 2);
  let [west, south, east, north] = [Infinity, 90, -Infinity, -90];
  const turns = unroll(ring.map(([lon = 0]) => lon));
  ring.forEach(([lon = 0, lat = 0], i) => {
    const unrolled = lon + (turns[i] ?? 0);
    positions[2 * i] = unrolled;
    positions[2 * i + 1] = lat;
    west = Math.min(west, unrolled);
    east = Math.max(east, unrolled);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  });
  return { positions, west, south, east, north };
}

/**
 * What to add to longitudes that jump at the antimeridian, so that Chukotka follows Siberia instead of lying across the
 * whole map from it. Nothing for a ring around a pole, which is closed along the edge of the map.
 */
function unroll(lons: readonly number[]): number[] {
  let turn = 0;
  const turns = lons.map((lon, i) => {
    const step = lon - (lons[i - 1] ?? lon);
    if (Math.abs(step) > 180) turn -= 360 * Math.sign(step);
    return turn;
  });
  if (turn !== 0) return lons.map(() => 0);
  // Whole turns back, so that the middle lies on the map.
  const unrolled = lons.map((lon, i) => lon + (turns[i] ?? 0));
  const middle = (unrolled.reduce((a, b) => Math.min(a, b)) + unrolled.reduce((a, b) => Math.max(a, b))) / 2;
  const back = Math.round(middle / 360) * 360;
  return turns.map((value) => value - back);
}

function drawMask(outlines: readonly LandRing[]): Uint8Array {
  const crossings: number[][] = Array.from({ length: maskRows }, () => []);
  for (const { positions } of outlines) {
    for (let i = 2; i < positions.length; i += 2) {
      addCrossings(crossings, positions.subarray(i - 2, i + 2));
    }
  }
  const drawn = new Uint8Array(maskColumns * maskRows);
  crossings.forEach((columns, row) => {
    columns.sort((a, b) => a - b);
    for (let i = 0; i + 1 < columns.length; i += 2) {
      const from = Math.ceil((columns[i] ?? 0) - 0.5);
      const to = Math.ceil((columns[i + 1] ?? 0) - 0.5);
      for (let column = from; column < to; column += 1) {
        drawn[row * maskColumns + ((column + maskColumns) % maskColumns)] = 1;
      }
    }
  });
  return drawn;
}

/** Adds where an edge crosses the middle of each mask row, in columns. */
function addCrossings(crossings: number[][], edge: Float64Array): void {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = edge;
  const row1 = (90 - y1) / maskStep - 0.5;
  const row2 = (90 - y2) / maskStep - 0.5;
  const [top, bottom] = row1 < row2 ? [row1, row2] : [row2, row1];
  for (let row = Math.ceil(top); row < bottom; row += 1) {
    const share = (row - row1) / (row2 - row1);
    crossings[row]?.push((x1 + (x2 - x1) * share + 180) / maskStep);
  }
}
