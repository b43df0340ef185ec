import type { Feature, FeatureCollection, Geometry } from 'geojson';
import { gpx, kml } from '@tmcw/togeojson';
import { DOMParser, type Document, type Element } from '@xmldom/xmldom';
import { toGeometry } from '#shared/stac/geometry.ts';
import { unreadable } from './aoi-error.ts';
import { tooDeep, tooMany } from './check-depth.ts';
import type { FoundShape, FoundShapes } from './found-shape.ts';
import { aoiLimits } from './limits.ts';

/** The text of a file that a KML links to, when it lies in the same archive. */
export type OpenLinked = (href: string) => string | null;

/**
 * Reads KML or GPX, told apart by the root element. Nothing outside the file, or the archive it lies in, is asked for.
 * @throws AppError `aoi.unreadable`, `aoi.too-large`
 */
export function readXml(text: string, openLinked: OpenLinked = () => null): FoundShapes {
  checkXml(text);
  const document = parseXml(text);
  const { localName, prefix } = document.documentElement ?? {};
  // The converters know elements by their names as written.
  if (prefix)
    return readXml(text.replaceAll(`<${prefix}:`, '<').replaceAll(`</${prefix}:`, '</'), openLinked);
  switch (localName) {
    case 'kml':
      return readKml(document, openLinked);
    case 'gpx':
      return readGpx(document);
    default: {
      const root = document.documentElement?.nodeName ?? 'nothing';
      throw unreadable({
        why: `It is XML, but <${root.slice(0, 40)}> is neither KML nor GPX.`,
        mend: 'Save the area as KML, GPX or GeoJSON.',
      });
    }
  }
}

function readKml(document: Document, openLinked: OpenLinked): FoundShapes {
  checkKmlPositions(document);
  const { features } = kml(document, { skipNullGeometry: true }) as FeatureCollection;
  const kindOf = (feature: Feature): unknown => feature.properties?.['@geometry-type'];
  const placemarks = features.filter((feature) => kindOf(feature) === undefined);
  const linked = readLinked(document, openLinked);
  const ownShapes = toShapes(placemarks, 'Placemark');
  const drawn = [...ownShapes, ...linked.shapes];
  // The frame of a picture is an area only where nobody drew one.
  const overlays = features.filter((feature) => kindOf(feature) === 'groundoverlay');
  const shapes = drawn.length > 0 ? drawn : toShapes(overlays, 'Overlay');
  const linkCount = linked.leftCount;
  if (shapes.length === 0 && linkCount > 0) {
    throw unreadable({
      why: 'It only links to a file elsewhere, which is not followed.',
      mend: 'Open it in the program it is from and save the places themselves.',
    });
  }
  const emptyCount = document.getElementsByTagName('Placemark').length - placemarks.length;
  const notes = [
    ...(linkCount > 0 ? ['Links to files elsewhere are not followed.'] : []),
    ...(emptyCount > 0 && shapes.length > 0 ? [`${String(emptyCount)} without a geometry left out.`] : []),
  ];
  return { format: 'KML', shapes, notes, name: null };
}

/** What lies in files of the same archive that a KML links to, as programs write one a layer. */
function readLinked(document: Document, openLinked: OpenLinked): { shapes: FoundShape[]; leftCount: number } {
  const hrefs = new Set<string>();
  for (const link of document.getElementsByTagNameNS('*', 'NetworkLink')) {
    hrefs.add(link.getElementsByTagNameNS('*', 'href').item(0)?.textContent?.trim() ?? '');
  }
  const texts = [...hrefs].map(openLinked).filter((text) => text !== null);
  return {
    shapes: texts.flatMap((text) => readXml(text).shapes),
    leftCount: hrefs.size - texts.length,
  };
}

const kmlNumber = '[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?';
const kmlPosition = new RegExp(`^${kmlNumber},${kmlNumber}(?:,(?:${kmlNumber})?)*$`);

/** The converter leaves out positions that it can't read, and rings that are then too short: another area comes out. */
function checkKmlPositions(document: Document): void {
  for (const element of document.getElementsByTagName('coordinates')) {
    for (const [text] of (element.textContent ?? '').matchAll(/\S+/g)) {
      if (kmlPosition.test(text)) continue;
      throw unreadable({
        place: lineOf(element),
        why: `“${text.slice(0, 40)}” is not a longitude and a latitude.`,
        mend: 'Positions stand as 4.5,50.2 with spaces only between them.',
      });
    }
  }
  for (const element of document.getElementsByTagName('outerBoundaryIs')) {
    if (holesOf(element) === 0 || (element.textContent ?? '').trim().split(/\s+/).length >= 3) continue;
    throw unreadable({
      place: lineOf(element),
      why: 'A polygon with holes has no outline around them.',
      mend: 'Take it out, or draw it anew.',
    });
  }
}

function holesOf(outer: Element): number {
  const polygon = outer.parentNode as Element | null;
  return polygon?.getElementsByTagName('innerBoundaryIs').length ?? 0;
}

function lineOf(element: Element): string {
  return element.lineNumber === undefined ? '' : `Line ${String(element.lineNumber)}.`;
}

function readGpx(document: Document): FoundShapes {
  checkGpxPositions(document);
  const shapes = toShapes(gpx(document).features, 'Track, route or waypoint');
  let closedCount = 0;
  // GPX has no polygons: an outline is a line that comes back to where it began.
  const outlined = shapes.map((shape) => {
    const geometry = closeLine(shape.geometry);
    if (!geometry) return shape;
    closedCount += 1;
    return { ...shape, geometry };
  });
  const notes = closedCount > 0 ? ['Lines that come back to their start were taken as outlines.'] : [];
  return { format: 'GPX', shapes: outlined, notes, name: null };
}

function checkGpxPositions(document: Document): void {
  for (const kind of ['wpt', 'rtept', 'trkpt']) {
    for (const element of document.getElementsByTagName(kind)) {
      const [lat, lon] = ['lat', 'lon'].map((name) => element.getAttribute(name) ?? '');
      if ([lat, lon].every((text = '') => text.trim() !== '' && Number.isFinite(Number(text)))) continue;
      throw unreadable({
        place: lineOf(element),
        why: `A <${kind}> has no latitude and longitude in numbers.`,
        mend: 'Take it out, or save the file again.',
      });
    }
  }
}

function closeLine(geometry: Geometry): Geometry | null {
  const lines =
    geometry.type === 'LineString'
      ? [geometry.coordinates]
      : geometry.type === 'MultiLineString'
        ? geometry.coordinates
        : [];
  const [line] = lines;
  if (!line || lines.length !== 1 || line.length < 4) return null;
  const [first, last] = [line[0], line.at(-1)];
  return first?.[0] === last?.[0] && first?.[1] === last?.[1]
    ? { type: 'Polygon', coordinates: [line] }
    : null;
}

function toShapes(features: readonly Feature[], kind: string): FoundShape[] {
  return features.map(({ geometry, properties }, index) => {
    const place = features.length === 1 ? '' : `${kind} ${String(index + 1)}.`;
    const checked = toGeometry(geometry);
    if (!checked) {
      throw unreadable({
        place,
        why: 'Its coordinates can’t be read.',
        mend: 'Take it out, or draw it anew.',
      });
    }
    const name: unknown = properties?.['name'];
    return { geometry: checked, name: typeof name === 'string' && name !== '' ? name : null, place };
  });
}

function parseXml(text: string): Document {
  const faults: { message: string; line: number | undefined }[] = [];
  // The parser wraps what is thrown here into a sentence of its own; the first fault is the one to tell.
  const refuseFault = (
    level: 'warning' | 'error' | 'fatalError',
    message: string,
    context: unknown,
  ): void => {
    if (level === 'warning') return;
    faults.push({ message, line: (context as { locator?: { lineNumber?: number } }).locator?.lineNumber });
    throw new Error(message);
  };
  try {
    return new DOMParser({ onError: refuseFault }).parseFromString(text, 'text/xml');
  } catch {
    const { message, line } = faults[0] ?? {};
    throw unreadable({
      place: line === undefined ? '' : `Line ${String(line)}.`,
      why: `The XML is damaged${message === undefined ? '' : `: ${message.split('\n')[0]?.slice(0, 120) ?? ''}`}.`,
      mend: 'Save or download it again.',
    });
  }
}

/**
 * Looks through the text before a parser builds anything from it: a tree that outgrows the memory of the thread can end
 * the whole program.
 */
function checkXml(text: string): void {
  checkMarks(text);
  // Entities can stand for gigabytes, or for files of this computer. No program writes them into KML or GPX.
  const [docType = ''] = /<!DOCTYPE[^>]*/i.exec(text) ?? [];
  if (docType.includes('[') || /<!ENTITY/i.test(text)) {
    throw unreadable({
      why: 'It declares XML entities, which are not taken from files.',
      mend: 'Save it without a DOCTYPE.',
    });
  }
  let depth = 0;
  for (const [tag, slash] of text.matchAll(/<(\/?)[A-Za-z_][^<>]*>/g)) {
    if (slash === '/') depth -= 1;
    else if (!tag.endsWith('/>')) depth += 1;
    if (depth > aoiLimits.depth) throw tooDeep();
  }
}

function checkMarks(text: string): void {
  for (const [mark, parts] of [
    ['<', 'tags'],
    ['=', 'attributes'],
  ] as const) {
    let count = 0;
    for (let index = text.indexOf(mark); index >= 0; index = text.indexOf(mark, index + 1)) count += 1;
    if (count > aoiLimits.xmlMarks) throw tooMany(parts, aoiLimits.xmlMarks);
  }
}
