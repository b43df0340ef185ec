import proj4 from 'proj4';
import { parseShp } from 'shpjs';
import { toGeometry } from '#shared/stac/geometry.ts';
import { tooLarge, unreadable } from './aoi-error.ts';
import { decodeText } from './decode-text.ts';
import type { FoundShape, FoundShapes } from './found-shape.ts';
import { aoiLimits } from './limits.ts';
import type { ZipEntry } from './read-zip.ts';

/** First four bytes of a .shp (ESRI Shapefile Technical Description, 1998). */
export const shapefileCode = 9994;
const headerBytes = 100;
const recordHeaderBytes = 8;

/**
 * Reads every .shp of an archive, by its .prj into WGS 84.
 * @throws AppError `aoi.unreadable`, `aoi.too-large`
 */
export function readShapefiles(entries: readonly ZipEntry[]): FoundShapes {
  const layers = entries.filter(({ name }) => /\.shp$/i.test(name));
  const notes: string[] = [];
  const shapes = layers.flatMap((layer) => {
    const base = layer.name.slice(0, -4).toLowerCase();
    const prj = entries.find(({ name }) => name.toLowerCase() === `${base}.prj`);
    const place = layers.length === 1 ? '' : `“${layer.name}”, `;
    return readLayer(layer, { prj: prj && readPrj(prj), place, notes });
  });
  const [only] = layers;
  return {
    format: 'Shapefile',
    shapes,
    notes,
    name: only && layers.length === 1 ? (only.name.slice(0, -4).split(/[\\/]/).at(-1) ?? null) : null,
  };
}

interface Layer {
  prj: string | undefined;
  place: string;
  notes: string[];
}

function readLayer(layer: ZipEntry, { prj, place, notes }: Layer): FoundShape[] {
  const { name } = layer;
  const bytes = layer.unpack();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkRecords(view, name);
  if (prj === undefined && !isInDegrees(view)) {
    throw unreadable({
      place: `“${name}”.`,
      why: 'It has no .prj, and its coordinates are not degrees.',
      mend: 'Pack the .prj that belongs to it too, or save it in WGS 84 (EPSG:4326).',
    });
  }
  if (prj === undefined) notes.push('It has no .prj; its coordinates were taken as WGS 84.');
  const records = parseRecords(view, { name, prj });
  return records.flatMap((record, index) => {
    if (record === null) return [];
    const geometry = toGeometry(record);
    const where = `${place}${place === '' ? 'Record' : 'record'} ${String(index + 1)}.`;
    if (geometry) return [{ geometry, name: null, place: where }];
    throw unreadable({
      place: where,
      why: prj === undefined ? 'Its coordinates can’t be read.' : 'Its coordinates don’t fit the .prj.',
      mend: 'Save it in WGS 84 (EPSG:4326).',
    });
  });
}

function parseRecords(view: DataView, { name, prj }: { name: string; prj: string | undefined }): unknown[] {
  try {
    return prj === undefined ? parseShp(view) : parseShp(view, prj);
  } catch {
    throw damaged(name, 'One of its records can’t be read.');
  }
}

function readPrj(prj: ZipEntry): string {
  const text = decodeText(prj.unpack())
    .trim()
    // The library takes this one for the double stereographic projection.
    .replace(/"Stereographic_North_Pole"/i, '"Stereographic_South_Pole"');
  try {
    // Anything else than WKT could name grids that are not there; angles in grads it takes for degrees.
    if (!/^[A-Z_]+\s*\[/i.test(text) || /"Grads?"/i.test(text)) throw new Error('not read');
    if (proj4(text).inverse([0, 0]).length < 2) throw new Error('no result');
    return text;
  } catch {
    throw unreadable({
      place: `“${prj.name}”.`,
      why: 'Its coordinate system can’t be read.',
      mend: 'Save the Shapefile in WGS 84 (EPSG:4326).',
    });
  }
}

/** Goes from record to record by their lengths, so that the parser meets none that leads astray. */
function checkRecords(view: DataView, name: string): void {
  if (view.byteLength < headerBytes || view.getInt32(0) !== shapefileCode) {
    throw damaged(name, 'It doesn’t begin like a .shp.');
  }
  let vertexCount = 0;
  let record = 0;
  for (let offset = headerBytes; offset < view.byteLength;) {
    record += 1;
    const length = offset + recordHeaderBytes <= view.byteLength ? view.getInt32(offset + 4) * 2 : -1;
    if (length < 4 || offset + recordHeaderBytes + length > view.byteLength) {
      throw damaged(name, `It is cut off or damaged at record ${String(record)}.`);
    }
    vertexCount += countPoints(view, offset + recordHeaderBytes, length);
    offset += recordHeaderBytes + length;
  }
  if (vertexCount > aoiLimits.vertices) {
    throw tooLarge({
      why: `It has ${vertexCount.toLocaleString('en-GB')} vertices; ${aoiLimits.vertices.toLocaleString('en-GB')} can be read.`,
      mend: 'Simplify it in the program it is from, or save only a part.',
    });
  }
}

/** Points that a record of lines, polygons or several points says it has. */
function countPoints(view: DataView, offset: number, length: number): number {
  const type = view.getInt32(offset, true) % 10;
  if ((type === 3 || type === 5) && length >= 44) return Math.max(0, view.getInt32(offset + 40, true));
  return type === 8 && length >= 40 ? Math.max(0, view.getInt32(offset + 36, true)) : 1;
}

/** Whether the box in the header can be one of degrees. */
function isInDegrees(view: DataView): boolean {
  const [west, south, east, north] = [36, 44, 52, 60].map((offset) => view.getFloat64(offset, true));
  return (
    [west, east].every((x = NaN) => Math.abs(x) <= 360) &&
    [south, north].every((y = NaN) => Math.abs(y) <= 90)
  );
}

function damaged(name: string, why: string): ReturnType<typeof unreadable> {
  return unreadable({ place: `“${name}”.`, why, mend: 'Pack or download it again.' });
}
