import { toItemRow } from '#shared/stac/item-row.ts';
import { FootprintSet } from '../src/renderer/src/map/footprint-set.ts';
import { isInRing } from '../src/renderer/src/map/rings.ts';
import { toWorldX, toWorldY } from '../src/shared/geo/mercator.ts';
import type { Bench } from './bench.ts';
import { benchItems } from './bench-items.ts';

const footprintCount = 50_000;
const hitsARound = 200;

/** What lies under the pointer, against asking every footprint in turn, as a renderer without an index does. */
export const mapHit: Bench = {
  name: 'map-hit-50000',
  unit: 'ms',
  target: { limit: 1 },
  prepare() {
    const set = new FootprintSet(benchItems(footprintCount).map(toItemRow));
    const tolerance = 5 / (256 * 2 ** 6);
    const pointOf = (number: number) => ({
      x: toWorldX(-12 + ((number * 0.61) % 55)),
      y: toWorldY(38 + ((number * 0.37) % 26)),
    });
    return Promise.resolve({
      rounds: 10,
      ours: () =>
        millisecondsEach((number) => {
          const { x, y } = pointOf(number);
          set.findAt(x, y, tolerance);
        }),
      reference: () => millisecondsEach((number) => void askEveryOne(set, pointOf(number))),
    });
  },
};

function millisecondsEach(work: (number: number) => void): number {
  const startMs = performance.now();
  for (let number = 0; number < hitsARound; number++) work(number);
  return (performance.now() - startMs) / hitsARound;
}

function askEveryOne(set: FootprintSet, point: { x: number; y: number }): number {
  let count = 0;
  for (let index = 0; index < set.count; index++) {
    for (const part of set.partsOf(index)) if (isInRing(set.coordinates, part, point)) count++;
  }
  return count;
}
