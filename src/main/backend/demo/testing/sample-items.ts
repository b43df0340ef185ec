import type { IdentifiedItem } from '#shared/stac/item.ts';
import { propertiesOf } from '#shared/stac/item.ts';
import { generateDemo } from '../generate-demo.ts';

/** The first item of a small catalog that fits. */
export function findSample(fits: (item: IdentifiedItem) => boolean): IdentifiedItem {
  for (const item of generateDemo({ seed: 5, itemCount: 4000 }).items()) if (fits(item)) return item;
  throw new Error('no such item');
}

/** The first item of a collection that lies wholly on one side of the antimeridian. */
export function sampleOf(collectionId: string, cloudCover?: (percent: number) => boolean): IdentifiedItem {
  return findSample(({ ref, item }) => {
    const cover = propertiesOf(item)['eo:cloud_cover'];
    const isCovered = cloudCover === undefined || (typeof cover === 'number' && cloudCover(cover));
    const [west = 0, , east = 0] = item['bbox'] as number[];
    return ref.collectionId === collectionId && isCovered && west > -170 && east < 170 && west < east;
  });
}
