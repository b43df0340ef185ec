import { wktToGeoJSON } from 'betterknown';
import { parse, CsvError, type InfoField } from 'csv-parse';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { toGeometry } from '#shared/stac/geometry.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { areQuotesFree, fromColumnName, knownColumns, readCell, unsignText } from '../csv-cell.ts';
import { tooLarge, unreadable } from '../exchange-error.ts';
import { exchangeLimits } from '../limits.ts';
import { checkItem } from './check-item.ts';
import { decodeUtf8Pieces } from './decode-utf8.ts';
import type { ReadContext } from './item-reader.ts';

const itemsPerBatch = 200;

const otherSeparators = [
  { sign: ';', name: 'semicolons' },
  { sign: '\t', name: 'tabs' },
];

interface Field {
  text: string;
  isQuoted: boolean;
}

/**
 * Reads a table with a column `id`; `collection`, `datetime`, `WKT` and the bbox columns are known by their names, and
 * every other one is a property.
 * @throws AppError `exchange.unreadable`, `exchange.too-large`
 */
export async function* readCsvFile(path: string, context: ReadContext): AsyncGenerator<IdentifiedItem[]> {
  context.facts.format = 'csv';
  let columns: Columns | null = null;
  let items: IdentifiedItem[] = [];
  try {
    for await (const { record, line } of readRecords(path)) {
      if (!columns) {
        columns = toColumns(record);
        continue;
      }
      const place = `Line ${String(line)}.`;
      items.push(checkItem(columns.toItem(record, place), place, context.collectionId));
      if (items.length < itemsPerBatch) continue;
      yield items;
      items = [];
    }
  } catch (thrown) {
    throw thrown instanceof CsvError ? toProblem(thrown) : thrown;
  }
  if (!columns) throw unreadable({ why: 'It is empty.', mend: 'Save it again.' });
  if (items.length > 0) yield items;
}

async function* readRecords(path: string): AsyncGenerator<{ record: Field[]; line: number }> {
  const parser = parse({
    bom: true,
    relax_column_count: false,
    skip_empty_lines: true,
    max_record_size: exchangeLimits.itemBytes,
    cast: (text: string, { quoting }: InfoField): Field => ({ text, isQuoted: quoting }),
    info: true,
  });
  // Whoever reads from the parser learns what went wrong with the file.
  const records = pipeline(createReadStream(path), decodeUtf8Pieces, parser, () => undefined);
  for await (const { record, info } of records as AsyncIterable<{
    record: Field[];
    info: { lines: number };
  }>) {
    yield { record, line: info.lines };
  }
}

interface Columns {
  toItem(record: readonly Field[], place: string): Record<string, unknown>;
}

function toColumns(header: readonly Field[]): Columns {
  if (header.length > exchangeLimits.columns) {
    throw tooLarge({
      place: 'Line 1.',
      why: `It has ${header.length.toLocaleString('en-GB')} columns; ${exchangeLimits.columns.toLocaleString('en-GB')} can be read.`,
      mend: 'Save it with the columns that are needed.',
    });
  }
  const names = header.map(({ text }) => unsignText(text.trim()));
  const find = (wanted: readonly string[]): number => {
    const lower = wanted.map((name) => name.toLowerCase());
    return names.findIndex((name) => lower.includes(name.toLowerCase()));
  };
  const { id, collection, geometry, west, south, east, north } = knownColumns;
  const idAt = find(id);
  const other = names.length === 1 ? otherSeparators.find(({ sign }) => names[0]?.includes(sign)) : undefined;
  if (other) {
    // Such a table often writes 1,5 for one and a half, which would come in as text.
    throw unreadable({
      place: 'Line 1.',
      why: `Its columns are parted by ${other.name}.`,
      mend: 'Save it with commas between columns, and points in numbers.',
    });
  }
  if (idAt < 0) {
    throw unreadable({
      place: 'Line 1.',
      why: 'No column is called “id”.',
      mend: 'Name the columns in the first line, parted by commas, and the one that tells items apart “id”.',
    });
  }
  const [collectionAt, geometryAt] = [find(collection), find(geometry)];
  const boxAt = [west, south, east, north].map(find);
  const known = new Set([idAt, collectionAt, geometryAt, ...boxAt]);
  // A program that quotes everything says nothing by it.
  const isQuoting = !header.some(({ isQuoted, text }) => isQuoted && areQuotesFree(text));
  const valueAt = (record: readonly Field[], at: number): unknown => {
    const { text = '', isQuoted = false } = record[at] ?? {};
    return readCell(text, { isQuoted: isQuoted && isQuoting && areQuotesFree(text) });
  };
  const textAt = (record: readonly Field[], at: number): string => unsignText(record[at]?.text ?? '');
  return {
    toItem(record, place) {
      const properties = names.flatMap((name, at): [string, unknown][] => {
        const value = known.has(at) ? undefined : valueAt(record, at);
        return value === undefined ? [] : [[fromColumnName(name), value]];
      });
      const box = boxAt.map((at) => valueAt(record, at));
      const collectionId = textAt(record, collectionAt);
      return {
        type: 'Feature',
        stac_version: '1.0.0',
        id: textAt(record, idAt),
        ...(collectionId !== '' && { collection: collectionId }),
        geometry: readGeometry(textAt(record, geometryAt), place),
        ...(box.every((one) => typeof one === 'number') && { bbox: box }),
        properties: { datetime: null, ...Object.fromEntries(properties) },
        links: [],
        assets: {},
      };
    },
  };
}

function readGeometry(text: string, place: string): unknown {
  if (text.trim() === '') return null;
  const geometry = parseWkt(text);
  if (geometry) return geometry;
  throw unreadable({
    place,
    why: 'Its geometry is no WKT.',
    mend: 'Write it as POLYGON ((7 46, 8 46, 8 47, 7 46)), in longitude and latitude.',
  });
}

function parseWkt(text: string): unknown {
  try {
    // Numbers that are none pass the parser.
    return toGeometry(wktToGeoJSON(text));
  } catch {
    return null;
  }
}

function toProblem({ code, lines, message }: CsvError & { lines?: unknown }): Error {
  const place = typeof lines === 'number' ? `Line ${String(lines)}.` : '';
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return tooLarge({
      place,
      why: `One record has more than ${String(exchangeLimits.itemBytes / 1e6)} MB; a quote may be open.`,
      mend: 'See that every quote is closed.',
    });
  }
  return unreadable({
    place,
    why: `That is no record of a CSV: ${message.split('\n', 1)[0]?.slice(0, 200) ?? ''}.`,
    mend: 'Save it as CSV with commas, one item a line.',
  });
}
