import type { FeatureCollection, Geometry } from 'geojson';
import { gpx, kml } from '@tmcw/togeojson';
import { DOMParser, type Document } from '@xmldom/xmldom';
import { toGeometry } from '#shared/stac/geometry.ts';
import { tooLarge, unreadable } from './aoi-error.ts';
import { tooDeep } from './check-depth.ts';
import type { FoundShape, FoundShapes } from './found-shape.ts';
import { aoiLimits } from './limits.ts';

/**
 * Reads KML or GPX, told apart by the root element. Nothing outside the file is asked for.
 * @throws AppError `aoi.unreadable`, `aoi.too-large`
 */
export function readXml(text: string): FoundShapes {
  checkXml(text);
  const document = parseXml(text);
  switch (document.documentElement?.localName) {
    case 'kml':
      return readKml(document);
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

function readKml(document: Document): FoundShapes {
  const shapes = toShapes(kml(document, { skipNullGeometry: true }) as FeatureCollection, 'Placemark');
  const linkCount = document.getElementsByTagNameNS('*', 'NetworkLink').length;
  if (shapes.length === 0 && linkCount > 0) {
    throw unreadable({
      why: 'It only links to a file elsewhere, which is not followed.',
      mend: 'Open it in the program it is from and save the places themselves.',
    });
  }
  const notes = linkCount > 0 ? ['Links to files elsewhere are not followed.'] : [];
  return { format: 'KML', shapes, notes, name: null };
}

function readGpx(document: Document): FoundShapes {
  const shapes = toShapes(gpx(document), 'Track, route or waypoint');
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

function toShapes({ features }: FeatureCollection, kind: string): FoundShape[] {
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

/** Looks through the text before a parser builds anything from it. */
function checkXml(text: string): void {
  // Entities can stand for gigabytes, or for files of this computer. No program writes them into KML or GPX.
  if (/<!ENTITY|<!DOCTYPE[^>]*\[/i.test(text)) {
    throw unreadable({
      why: 'It declares XML entities, which are not taken from files.',
      mend: 'Save it without a DOCTYPE.',
    });
  }
  let depth = 0;
  let elementCount = 0;
  for (const [tag, slash] of text.matchAll(/<(\/?)[A-Za-z_][^<>]*>/g)) {
    if (slash === '/') depth -= 1;
    else if (!tag.endsWith('/>')) depth += 1;
    elementCount += 1;
    if (depth > aoiLimits.depth) throw tooDeep();
    if (elementCount > aoiLimits.xmlElements * 2) {
      throw tooLarge({
        why: `It has more than ${aoiLimits.xmlElements.toLocaleString('en-GB')} elements.`,
        mend: 'Save only the area itself.',
      });
    }
  }
}
