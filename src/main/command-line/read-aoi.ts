import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maxAreaFileBytes } from '#shared/geo/area-file-limit.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';

/**
 * The area in a file, or in standard input for `-`, as the question asks it. How it was understood is said.
 * @throws AppError `aoi.unreadable`, `aoi.too-large`
 */
export async function readAoi(
  source: string,
  say: (line: string) => void,
): Promise<Pick<SearchQuery, 'bbox' | 'intersects'>> {
  // Loaded only now: wrong usage is told at once, before the whole program is read.
  const { readAreaFile } = await import('../backend/commands.ts');
  const read = (filePath: string) => readAreaFile(filePath);
  const { place, words, notes } = source === '-' ? await withStandardInput(read) : await read(source);
  for (const line of [words, ...notes]) say(`area: ${line}`);
  return place;
}

async function withStandardInput<Result>(work: (filePath: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-area-'));
  try {
    // The file's name is what messages call it.
    const filePath = join(folder, 'standard input');
    await writeFile(filePath, await takeInput(process.stdin));
    return await work(filePath);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// What is longer than an area's file may be is taken in just so far that it shows.
async function takeInput(input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let takenBytes = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    takenBytes += chunk.byteLength;
    if (takenBytes > maxAreaFileBytes) break;
  }
  return Buffer.concat(chunks);
}
