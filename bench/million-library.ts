import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { Library } from '../src/main/backend/library/library.ts';
import { openLibrary } from '../src/main/backend/library/open-library.ts';
import { bundleChild } from './bundle-child.ts';
import type { Filling } from './million-library-child.ts';
import { createMillionItems, createMillionTexts } from './million-items.ts';

const run = promisify(execFile);

/** How many Items the large library has; fewer to try a bench out. */
export const millionCount = Number(process.env['SWATH_BENCH_ITEMS'] ?? 1_000_000);
/** Texts that are written to the file in one go. */
const textsAtOnce = 500;

/** A library of a million Items of some 4 kB of JSON each, made once a run. */
export interface MillionLibrary {
  library: Library;
  filePath: string;
  /** The Items that it was made of, a line of JSON each, 4.5 GB. */
  textPath: string;
  itemAt(number: number): IdentifiedItem;
  filling: Filling;
  /** Lets go of it. The file stays for the next bench, and goes with `removeMillionLibrary`. */
  close(): Promise<void>;
}

let made: Promise<{ folder: string; filePath: string; textPath: string; filling: Filling }> | null = null;
const itemAt = createMillionItems();

/** Opens the library, after making it for the first bench that asks. */
export async function openMillionLibrary(): Promise<MillionLibrary> {
  made ??= make();
  const { filePath, textPath, filling } = await made;
  const library = openLibrary({ filePath });
  return { library, filePath, textPath, itemAt, filling, close: () => library.close() };
}

/** Deletes the library, if there is one. */
export async function removeMillionLibrary(): Promise<void> {
  if (!made) return;
  const { folder } = await made;
  rmSync(folder, { recursive: true });
  made = null;
}

async function make() {
  const folder = mkdtempSync(join(tmpdir(), 'swath-million-'));
  const filePath = join(folder, 'library.sqlite');
  const textPath = join(folder, 'items.jsonl');
  await writeTexts(textPath);
  const child = await bundleChild(new URL('./million-library-child.ts', import.meta.url));
  const { stdout } = await run(process.execPath, [child, filePath, textPath]);
  const filling = JSON.parse(stdout) as Filling;
  return { folder, filePath, textPath, filling };
}

/** On the disk before anything is measured: making them is no part of it, and neither is writing them. */
async function writeTexts(path: string): Promise<void> {
  const textAt = createMillionTexts();
  const file = await open(path, 'w');
  for (let start = 0; start < millionCount; start += textsAtOnce) {
    const count = Math.min(textsAtOnce, millionCount - start);
    const texts = Array.from({ length: count }, (_, n) => `${textAt(start + n)}\n`);
    await file.write(texts.join(''));
  }
  await file.sync();
  await file.close();
}
