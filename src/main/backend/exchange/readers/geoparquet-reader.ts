import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, type FileMetaData } from 'hyparquet';
import { isAppError } from '#shared/errors/app-error.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { fromEpochMicros, toEpochMicros } from '#shared/stac/timestamp.ts';
import { tooLarge, unreadable } from '../exchange-error.ts';
import { exchangeLimits } from '../limits.ts';
import { itemOfRow } from '../parquet/item-of-row.ts';
import { checkItem } from './check-item.ts';
import type { ReadContext } from './item-reader.ts';
import { unpackers } from './unpack-page.ts';

const decoder = new TextDecoder();
const itemsPerBatch = 500;
/** Of one column in one row group: lists have more values than rows. */
const maxValues = 50_000_000n;

// Times as the text that JSON has for them.
const parsers = {
  timestampFromMilliseconds: (millis: bigint) => fromEpochMicros(Number(millis) * 1000),
  timestampFromMicroseconds: (micros: bigint) => fromEpochMicros(Number(micros)),
  timestampFromNanoseconds: (nanos: bigint) => fromEpochMicros(Number(nanos / 1000n)),
  dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && (JSON.parse(decoder.decode(bytes)) as unknown),
};

/**
 * Reads stac-geoparquet, ours or another program's, one row group after the other.
 * @throws AppError `exchange.unreadable`, `exchange.too-large`
 */
export async function* readGeoparquetFile(
  path: string,
  context: ReadContext,
): AsyncGenerator<IdentifiedItem[]> {
  context.facts.format = 'geoparquet';
  const file = await asyncBufferFromFile(path);
  const metadata = await attempt(() => parquetMetadataAsync(file, { geoparquet: false, parsers }), '');
  checkMetadata(metadata, file.byteLength);
  context.facts.asOf = readAsOf(metadata);
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    const rows = await attempt(
      () =>
        parquetReadObjects({
          file,
          metadata,
          rowStart,
          rowEnd,
          geoparquet: false,
          utf8: false,
          compressors: unpackers,
          parsers,
        }),
      `Rows ${String(rowStart + 1)} to ${String(rowEnd)}.`,
    );
    for (let from = 0; from < rows.length; from += itemsPerBatch) {
      yield rows.slice(from, from + itemsPerBatch).map((row, index) => {
        const place = `Row ${String(rowStart + from + index + 1)}.`;
        return checkItem(toItem(row, place), place, context.collectionId);
      });
    }
    rowStart = rowEnd;
  }
}

function toItem(row: Record<string, unknown>, place: string): Record<string, unknown> {
  try {
    return itemOfRow(row);
  } catch {
    throw unreadable({ place, why: 'Its columns make no item.', mend: 'Write it again as stac-geoparquet.' });
  }
}

function checkMetadata({ schema, row_groups, num_rows }: FileMetaData, fileBytes: number): void {
  const limits = exchangeLimits;
  const leaves = schema.filter(({ type }) => type !== undefined).length;
  if (leaves > limits.columns) throw tooMany(leaves, 'columns', limits.columns);
  if (num_rows < 0n || num_rows > BigInt(limits.items)) throw tooMany(Number(num_rows), 'rows', limits.items);
  if (!schema.some(({ name }) => name === 'id')) {
    throw unreadable({
      why: 'No column is called “id”.',
      mend: 'Choose a file of stac-geoparquet, in which every row is an item.',
    });
  }
  if (row_groups.reduce((sum, group) => sum + group.num_rows, 0n) !== num_rows) throw untrue();
  for (const group of row_groups) checkGroup(group, fileBytes);
}

function checkGroup({ num_rows, columns }: FileMetaData['row_groups'][number], fileBytes: number): void {
  const chunks = columns.flatMap(({ meta_data }) => meta_data ?? []);
  const isTrue = chunks.every(
    (chunk) => chunk.total_compressed_size <= BigInt(fileBytes) && chunk.num_values <= maxValues,
  );
  if (!isTrue || num_rows < 0n) throw untrue();
  const unpackedBytes = chunks.reduce((sum, chunk) => sum + chunk.total_uncompressed_size, 0n);
  if (unpackedBytes <= BigInt(exchangeLimits.rowGroupBytes)) return;
  throw tooLarge({
    why: `One row group unpacks to ${String(unpackedBytes / 1_000_000n)} MB.`,
    mend: 'Write it again with smaller row groups.',
  });
}

function readAsOf({ key_value_metadata: entries = [] }: FileMetaData): string | null {
  const value = entries.find(({ key }) => key === 'swath:as-of')?.value;
  return typeof value === 'string' && toEpochMicros(value) !== null ? value : null;
}

async function attempt<Value>(read: () => Promise<Value>, place: string): Promise<Value> {
  try {
    return await read();
  } catch (thrown) {
    if (isAppError(thrown)) throw thrown;
    // What the reader stumbled over in itself says nothing of the file.
    const isAboutFile =
      thrown instanceof Error && !(thrown instanceof TypeError || thrown instanceof RangeError);
    throw unreadable({
      place,
      why: `That is no Parquet that can be read${isAboutFile ? `: ${thrown.message.slice(0, 200)}` : ''}.`,
      mend: 'Fetch or write it again; it may have been cut off.',
    });
  }
}

function untrue(): Error {
  return unreadable({
    why: 'What it says of its own size can’t be true.',
    mend: 'Fetch or write it again; it may be damaged.',
  });
}

function tooMany(count: number, what: string, limit: number): Error {
  return tooLarge({
    why: `It has ${count.toLocaleString('en-GB')} ${what}; ${limit.toLocaleString('en-GB')} can be read.`,
    mend: 'Save it in several files, or with what is needed of it.',
  });
}
