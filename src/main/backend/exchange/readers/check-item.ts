import { forEachPosition } from '#shared/stac/bbox.ts';
import { footprintOf, readItem, type IdentifiedItem } from '#shared/stac/item.ts';
import { withoutSignedLinks } from '#shared/stac/without-signed-links.ts';
import { unreadable } from '../exchange-error.ts';
import { maxLongitude } from './bring-home.ts';

const maxIdLength = 2000;
const maxLatitude = 90 + 1e-6;

/**
 * An Item from outside: named, on the globe, and without links that carry their own permission.
 * @throws AppError `exchange.unreadable` naming the place
 */
export function checkItem(value: unknown, place: string, collectionId: string): IdentifiedItem {
  const reading = readItem(value, { collectionId });
  if ('reason' in reading) {
    throw unreadable({
      place,
      why: `This can’t be an item: ${reading.reason.slice(0, 200)}.`,
      mend: 'Each item needs an id and its collection. Save the file again from where it is from.',
    });
  }
  const { itemId, collectionId: named } = reading.ref;
  if (Math.max(itemId.length, named.length) > maxIdLength) {
    throw unreadable({
      place,
      why: `Its id or its collection has more than ${String(maxIdLength)} characters.`,
      mend: 'Save the file again from where it is from.',
    });
  }
  const footprint = footprintOf(reading.item);
  if (footprint) {
    forEachPosition(footprint, ([longitude = NaN, latitude = NaN]) => {
      if (Math.abs(longitude) <= maxLongitude && Math.abs(latitude) <= maxLatitude) return;
      throw unreadable({
        place,
        why: `${String(longitude).slice(0, 20)}, ${String(latitude).slice(0, 20)} is not a longitude and a latitude in degrees.`,
        mend: 'Save it in WGS 84 (EPSG:4326).',
      });
    });
  }
  return { ref: reading.ref, item: withoutSignedLinks(reading.item) };
}
