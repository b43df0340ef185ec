import type { AreaReadings } from '#shared/geo/area-reading.ts';
import { tooLarge, unreadable } from './aoi-error.ts';
import { decodeText } from './decode-text.ts';
import type { FoundShapes } from './found-shape.ts';
import { aoiLimits } from './limits.ts';
import { readGeoJson } from './read-geojson.ts';
import { readShapefiles, shapefileCode } from './read-shapefile.ts';
import { readCoordinates } from './read-coordinates.ts';
import { isWkt, readWkt } from './read-wkt.ts';
import { readXml } from './read-xml.ts';
import { readZip } from './read-zip.ts';
import { toReadings } from './to-readings.ts';

/** A file that a person gave, whole. */
export interface GivenFile {
  name: string;
  bytes: Uint8Array;
}

/**
 * Reads an area from a file. What it is is seen from its content; the name only names the area.
 * @throws AppError `aoi.unreadable`, `aoi.too-large`
 */
export function readFile({ name, bytes }: GivenFile): AreaReadings {
  if (bytes.length > aoiLimits.fileBytes) {
    throw tooLarge({
      why: `The file has ${Math.ceil(bytes.length / 1e6).toLocaleString('en-GB')} MB; up to ${String(aoiLimits.fileBytes / 1e6)} MB are read.`,
      mend: 'Save only the area itself, or a simpler one.',
    });
  }
  if (bytes.length === 0) throw unreadable({ why: 'It is empty.', mend: 'Save it again.' });
  const baseName = name.replace(/^.*[\\/]/, '').replace(/\.[A-Za-z0-9]{1,8}$/, '');
  const found = isZip(bytes) ? readArchive(bytes) : readSingle(bytes);
  if ('readings' in found) return found;
  return toReadings({ ...found, name: found.name ?? (baseName || null) }, { isFile: true });
}

function readArchive(bytes: Uint8Array): FoundShapes {
  const entries = readZip(bytes);
  const named = (pattern: RegExp) => entries.filter(({ name }) => pattern.test(name));
  if (named(/\.shp$/i).length > 0) return readShapefiles(entries);
  const kmls = named(/\.kml$/i);
  // The first KML at the top is the one to open (KML 2.3 §6.1); its others are linked from it.
  const kml = kmls.find(({ name }) => !name.includes('/')) ?? kmls[0];
  if (kml) {
    const openLinked = (href: string): string | null => {
      const linked = kmls.find((entry) => entry !== kml && entry.name === resolveName(href, kml.name));
      return linked ? decodeText(linked.unpack()) : null;
    };
    return { ...readXml(decodeText(kml.unpack()), openLinked), format: 'KMZ' };
  }
  const [single, second] = named(/\.(geojson|json|gpx|wkt|txt)$/i);
  if (single && !second) {
    const found = readText(decodeText(single.unpack()));
    if ('shapes' in found) return found;
  }
  if (named(/\.(zip|kmz)$/i).length > 0) {
    throw unreadable({
      why: 'The archive holds another archive, which is not unpacked.',
      mend: 'Unpack the outer one and choose the inner one.',
    });
  }
  throw unreadable({
    why: 'The archive holds no .shp and no .kml.',
    mend: 'Pack the .shp with its .prj and .dbf, or choose a GeoJSON or KML file.',
  });
}

/** The entry that a link in another entry names. */
function resolveName(href: string, from: string): string {
  return `${from.slice(0, from.lastIndexOf('/') + 1)}${href.replace(/^\.\//, '')}`;
}

function readSingle(bytes: Uint8Array): FoundShapes | AreaReadings {
  const known = describeOther(bytes);
  if (known) throw unreadable(known);
  return readText(decodeText(bytes));
}

function readText(content: string): FoundShapes | AreaReadings {
  const text = content.trim();
  if (text.startsWith('{')) return readGeoJson(text);
  if (text.startsWith('<')) return readXml(text);
  if (isWkt(text)) return readWkt(text);
  // A list of coordinates; anything longer is something else.
  if (text.length < 100_000 && /^[\s\d.,;:+\-°'"′″NSEWnsew[\]()]+$/.test(text)) return readCoordinates(text);
  throw unreadable({
    why: 'It is none of the kinds that hold areas.',
    mend: 'Choose a GeoJSON, KML, KMZ, GPX or WKT file, or a zipped Shapefile.',
  });
}

/** Files that people take for areas, by how they begin. */
function describeOther(bytes: Uint8Array): { why: string; mend: string } | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 16));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length >= 4 && view.getInt32(0) === shapefileCode) {
    return {
      why: 'A .shp alone doesn’t say in which coordinate system it is.',
      mend: 'Pack it into a .zip with its .prj and .dbf.',
    };
  }
  if (head.startsWith('SQLite format 3'))
    return { why: 'It is a GeoPackage or a database.', mend: 'Export the area as GeoJSON.' };
  if (/^(II\*|MM\0\*|II\+)/.test(head))
    return { why: 'It is an image (TIFF).', mend: 'Export its outline as GeoJSON.' };
  if (head.startsWith('\x1f\x8b') || head.startsWith('7z') || head.startsWith('Rar!')) {
    return { why: 'It is packed in a way that is not read.', mend: 'Unpack it, or pack it as .zip.' };
  }
  return null;
}

function isZip([p, k, third]: Uint8Array): boolean {
  return p === 0x50 && k === 0x4b && (third === 3 || third === 5);
}
