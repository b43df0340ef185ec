import type { Geometry } from 'geojson';
import { wktToGeoJSON } from 'betterknown';
import { unreadable } from './aoi-error.ts';
import { checkBracketDepth } from './check-depth.ts';
import type { FoundShapes } from './found-shape.ts';

const beginning =
  /^\s*(SRID\s*=\s*\d+\s*;\s*)?(MULTI)?(POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION|CURVE\w*|SURFACE|TRIANGLE|TIN|CIRCULARSTRING|COMPOUNDCURVE)\b/i;
// One geometry a line is how databases hand them out.
const nextGeometry = /[;\s]*\n\s*(?=(?:SRID|MULTI|POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION))/i;

/** Whether a text looks like Well-Known Text. */
export function isWkt(text: string): boolean {
  return beginning.test(text);
}

/**
 * Reads WKT, or EWKT in WGS 84; several geometries stand on a line each.
 * @throws AppError `aoi.unreadable`, `aoi.too-large`
 */
export function readWkt(text: string): FoundShapes {
  checkBracketDepth(text);
  const parts = text.split(nextGeometry).filter((part) => part.trim() !== '');
  const shapes = parts.flatMap((part, index) => {
    const place = parts.length === 1 ? '' : `Geometry ${String(index + 1)}.`;
    const geometry = parseWkt(part.trim().replace(/;$/, ''), place);
    return geometry ? [{ geometry, name: null, place }] : [];
  });
  return { format: 'WKT', shapes, notes: [], name: null };
}

function parseWkt(part: string, place: string): Geometry | null {
  const srid = /^SRID\s*=\s*(\d+)/i.exec(part)?.[1];
  if (srid !== undefined && srid !== '4326') {
    throw unreadable({
      place,
      why: `Its coordinates are in SRID ${srid}.`,
      mend: 'Give it in WGS 84 (SRID 4326), with ST_Transform for example.',
    });
  }
  try {
    return wktToGeoJSON(part.replace(/^SRID\s*=\s*\d+\s*;\s*/i, ''));
  } catch (thrown) {
    throw unreadable({
      place,
      why: isUnbalanced(part) ? 'The WKT ends too early: a bracket is missing.' : describe(thrown),
      mend: 'It looks like POLYGON ((4 50, 5 50, 5 51, 4 50)), longitude first.',
    });
  }
}

function describe(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message.slice(0, 120) : '';
  return message === '' ? 'That is not valid WKT.' : `That is not valid WKT: ${message}.`;
}

function isUnbalanced(part: string): boolean {
  return (part.match(/\(/g)?.length ?? 0) > (part.match(/\)/g)?.length ?? 0);
}
