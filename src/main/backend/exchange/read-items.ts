import { open, stat } from 'node:fs/promises';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { tooLarge, unreadable } from './exchange-error.ts';
import { exchangeLimits } from './limits.ts';
import { readCsvFile } from './readers/csv-reader.ts';
import { readGeoparquetFile } from './readers/geoparquet-reader.ts';
import type { ItemReader, ReadContext } from './readers/item-reader.ts';
import { readJsonFile } from './readers/json-reader.ts';

/**
 * Reads the items of a file of any form that Swath writes, batch by batch. What it is is seen from its content.
 * @throws AppError `exchange.unreadable`, `exchange.too-large`
 */
export async function* readItems(path: string, context: ReadContext): AsyncGenerator<IdentifiedItem[]> {
  const { size } = await stat(path);
  if (size === 0) throw unreadable({ why: 'It is empty.', mend: 'Save it again.' });
  if (size > exchangeLimits.fileBytes) {
    throw tooLarge({
      why: `It has ${String(Math.ceil(size / 1e6))} MB; up to ${String(exchangeLimits.fileBytes / 1e6)} MB are read.`,
      mend: 'Save fewer items in one file.',
    });
  }
  const read = chooseReader(await readHead(path));
  let count = 0;
  for await (const items of read(path, context)) {
    count += items.length;
    if (count > exchangeLimits.items) {
      throw tooLarge({
        why: `It has more than ${exchangeLimits.items.toLocaleString('en-GB')} items.`,
        mend: 'Save them in several files.',
      });
    }
    yield items;
  }
  if (count === 0) throw unreadable({ why: 'It holds no items.', mend: 'Choose a file that holds some.' });
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function chooseReader(head: Buffer): ItemReader {
  if (head.subarray(0, 4).toString('latin1') === 'PAR1') return readGeoparquetFile;
  const other = describeOther(head);
  if (other) throw unreadable(other);
  const text = head.toString().replace(/^[\ufeff\s]+/, '');
  return text.startsWith('{') || text.startsWith('[') || text.startsWith('\x1e') ? readJsonFile : readCsvFile;
}

const packedStarts = ['PK', '\x1f\x8b', '7z', 'Rar!', '\x28\xb5\x2f\xfd'];

/** Files that people take for one of ours, by how they begin. */
function describeOther(head: Buffer): { why: string; mend: string } | null {
  const start = head.subarray(0, 16).toString('latin1');
  if (start.startsWith('SQLite format 3'))
    return { why: 'It is a GeoPackage or a database.', mend: 'Export it as GeoJSON.' };
  if (packedStarts.some((packed) => start.startsWith(packed)))
    return { why: 'It is packed.', mend: 'Unpack it first.' };
  if (/^(II\*|MM\0\*|II\+)/.test(start))
    return { why: 'It is an image (TIFF).', mend: 'Choose the list of items, not one of their files.' };
  if (/^\s*</.test(start))
    return { why: 'It is XML or a web page.', mend: 'Choose GeoJSON, CSV or GeoParquet.' };
  if (start.startsWith('\xff\xfe') || start.startsWith('\xfe\xff'))
    return { why: 'Its text is UTF-16.', mend: 'Save it as UTF-8; Excel calls that “CSV UTF-8”.' };
  return head.includes(0) ? { why: 'It is no text.', mend: 'Choose GeoJSON, CSV or GeoParquet.' } : null;
}
