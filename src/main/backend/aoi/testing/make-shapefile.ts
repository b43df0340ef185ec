import { strToU8, zipSync } from 'fflate';

type Ring = readonly (readonly [x: number, y: number])[];

/** The bytes of a .shp with one polygon a record (ESRI Shapefile Technical Description, 1998). */
export function makeShp(polygons: readonly (readonly Ring[])[]): Uint8Array {
  const records = polygons.map(makeRecord);
  const length = records.reduce((sum, record) => sum + 8 + record.byteLength, 100);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, 9994);
  view.setInt32(24, length / 2);
  view.setInt32(28, 1000, true);
  view.setInt32(32, 5, true);
  const all = polygons.flat(2);
  [...boxOf(all)].forEach((value, index) => view.setFloat64(36 + index * 8, value, true));
  let offset = 100;
  records.forEach((record, index) => {
    view.setInt32(offset, index + 1);
    view.setInt32(offset + 4, record.byteLength / 2);
    bytes.set(record, offset + 8);
    offset += 8 + record.byteLength;
  });
  return bytes;
}

/** A zipped Shapefile. */
export function zipShapefile(shp: Uint8Array, options: { prj?: string; name?: string } = {}): Uint8Array {
  const { prj, name = 'fields' } = options;
  return zipSync({
    [`${name}.shp`]: shp,
    [`${name}.dbf`]: new Uint8Array(33),
    ...(prj === undefined ? {} : { [`${name}.prj`]: strToU8(prj) }),
  });
}

function makeRecord(rings: readonly Ring[]): Uint8Array {
  const points = rings.flat();
  const bytes = new Uint8Array(44 + rings.length * 4 + points.length * 16);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, 5, true);
  [...boxOf(points)].forEach((value, index) => view.setFloat64(4 + index * 8, value, true));
  view.setInt32(36, rings.length, true);
  view.setInt32(40, points.length, true);
  let start = 0;
  rings.forEach((ring, index) => {
    view.setInt32(44 + index * 4, start, true);
    start += ring.length;
  });
  points.forEach(([x, y], index) => {
    view.setFloat64(44 + rings.length * 4 + index * 16, x, true);
    view.setFloat64(52 + rings.length * 4 + index * 16, y, true);
  });
  return bytes;
}

function boxOf(points: Ring): [number, number, number, number] {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
