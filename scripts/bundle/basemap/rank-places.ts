import type { City } from './read-cities.ts';

/** What the map draws of a place: name, longitude, latitude, the zoom from which on there is room for it, its kind. */
export type RankedPlace = [name: string, longitude: number, latitude: number, minZoom: number, kind: 0 | 1];

// Half zooms, as fine as a person zooms; beyond the last one only places are left that nobody looks for.
const zooms = Array.from({ length: 16 }, (_, i) => 1 + i / 2);
// Room for a name with some map around it, in pixels.
const charPx = 6.4;
const dotPx = 14;
const marginPx = { x: 12, y: 14 };
/** People that a place has for each zoom, or it waits for a closer one. */
const peopleAtZoom2 = 4_000_000;
const dividedEachZoom = 2.9;

/**
 * The most important places at each zoom, each as early as it finds room beside more important ones, the important first.
 * A lone town in a desert so shows before the suburbs of a large city.
 */
export function rankPlaces(cities: readonly City[]): RankedPlace[] {
  const candidates = cities
    .filter(({ featureCode, name }) => /^PPL(A\d?|C|S|G|L)?$/.test(featureCode) && name !== '')
    .map((city) => ({ ...city, weight: weigh(city) }))
    .filter(({ weight }) => weight >= 3000)
    .sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1));
  const ranked: { city: City; minZoom: number; weight: number }[] = [];
  const isPlaced = new Set<City>();
  for (const zoom of zooms) {
    const room = createRoom(zoom);
    for (const { city } of ranked) room.take(city);
    const atLeast = peopleAtZoom2 / dividedEachZoom ** (zoom - 2);
    for (const city of candidates) {
      if (city.weight < atLeast) break;
      if (isPlaced.has(city) || !room.isFree(city)) continue;
      room.take(city);
      isPlaced.add(city);
      ranked.push({ city, minZoom: zoom, weight: city.weight });
    }
  }
  return ranked.map(({ city, minZoom }) => [
    city.name,
    Number(city.longitude.toFixed(3)),
    Number(city.latitude.toFixed(3)),
    minZoom,
    city.featureCode === 'PPLC' ? 1 : 0,
  ]);
}

function weigh({ population, featureCode }: City): number {
  if (featureCode === 'PPLC') return population * 3 + 600_000;
  if (featureCode === 'PPLA') return population * 1.5 + 20_000;
  return population;
}

interface Room {
  isFree(city: City): boolean;
  take(city: City): void;
}

/** The boxes of names on a map of one zoom, in cells so that only near ones are compared. */
function createRoom(zoom: number): Room {
  const size = 256 * 2 ** zoom;
  const cellPx = 256;
  const cells = new Map<string, { left: number; right: number; top: number; bottom: number }[]>();
  const boxOf = ({ name, longitude, latitude }: City) => {
    const x = (longitude / 360 + 0.5) * size;
    const sine = Math.sin((latitude * Math.PI) / 180);
    const y = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size;
    const width = name.length * charPx + dotPx;
    return {
      left: x - marginPx.x,
      right: x + width + marginPx.x,
      top: y - marginPx.y,
      bottom: y + marginPx.y,
    };
  };
  const cellsOf = ({ left, right, top, bottom }: ReturnType<typeof boxOf>): string[] => {
    const keys: string[] = [];
    for (let x = Math.floor(left / cellPx); x <= Math.floor(right / cellPx); x++)
      for (let y = Math.floor(top / cellPx); y <= Math.floor(bottom / cellPx); y++) keys.push(`${x}/${y}`);
    return keys;
  };
  return {
    isFree(city) {
      const box = boxOf(city);
      return !cellsOf(box).some((key) =>
        cells
          .get(key)
          ?.some(
            (other) =>
              box.left < other.right &&
              box.right > other.left &&
              box.top < other.bottom &&
              box.bottom > other.top,
          ),
      );
    },
    take(city) {
      const box = boxOf(city);
      for (const key of cellsOf(box)) {
        const cell = cells.get(key);
        if (cell) cell.push(box);
        else cells.set(key, [box]);
      }
    },
  };
}
