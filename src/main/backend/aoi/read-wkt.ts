import type { Geometry } from 'geojson';
import { wktToGeoJSON } from 'betterknown';
import { unreadable } from './aoi-error.ts';
import { checkBracketDepth, tooMany } from './check-depth.ts';
import type { FoundShapes } from './found-shape.ts';
import { aoiLimits } from './limits.ts';

const beginning =
  /^\s*(SRID\s*=\s*\d+\s*;\s*)?(MULTI)?(POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION|CURVE\w*|SURFACE|TRIANGLE|TIN|CIRCULARSTRING|COMPOUNDCURVE)\b/i;
// One geometry a line is how databases hand them out.
const nextGeometry =
  /(?<=(?:\)|EMPTY) ?;? ?)\n(?=(?:SRID|MULTI|POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION))/i;
const number = '[-+]?[\\d.]+(?:e[-+]?\\d+)?';
// Heights without a Z before them, as PostGIS and GDAL write them.
const untagged = new RegExp(`^[A-Z]+ ?\\([( A-Z]*${number} ${number} ${number}( ${number})?`, 'i');

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
  checkLength(text);
  const lines = text.replace(/[^\S\n]+/g, ' ').replace(/[\n ]*\n ?/g, '\n');
  const parts = lines.split(nextGeometry).filter((part) => part.trim() !== '');
  const shapes = parts.flatMap((part, index) => {
    const place = parts.length === 1 ? '' : `Geometry ${String(index + 1)}.`;
    const geometry = parseWkt(part.replaceAll('\n', ' ').trim().replace(/ ?;$/, ''), place);
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
    return wktToGeoJSON(tagHeights(part.replace(/^SRID ?= ?\d+ ?; ?/i, '')));
  } catch (thrown) {
    throw unreadable({
      place,
      why: isUnbalanced(part) ? 'The WKT ends too early: a bracket is missing.' : describe(thrown),
      mend: 'It looks like POLYGON ((4 50, 5 50, 5 51, 4 50)), longitude first.',
    });
  }
}

function tagHeights(wkt: string): string {
  const found = untagged.exec(wkt);
  return found ? wkt.replace(/([A-Z]{4,}) ?(?=\()/gi, `$1 ${found[1] === undefined ? 'Z' : 'ZM'} `) : wkt;
}

/** Positions stand between commas, and a parser needs a hundred times the memory of their text. */
function checkLength(text: string): void {
  let count = 0;
  for (let index = text.indexOf(','); index >= 0; index = text.indexOf(',', index + 1)) count += 1;
  if (count > aoiLimits.vertices * 2) throw tooMany('vertices', aoiLimits.vertices);
}

function describe(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message.slice(0, 120) : '';
  return message === '' ? 'That is not valid WKT.' : `That is not valid WKT: ${message}.`;
}

function isUnbalanced(part: string): boolean {
  return (part.match(/\(/g)?.length ?? 0) > (part.match(/\)/g)?.length ?? 0);
}
