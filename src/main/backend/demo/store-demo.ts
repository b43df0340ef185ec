import { randomBytes } from 'node:crypto';
import { access, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '#shared/errors/app-error.ts';
import { isProcessAlive } from '../is-process-alive.ts';
import { createItemStream } from '../library/item-stream.ts';
import type { Library } from '../library/library.ts';
import { openLibrary } from '../library/open-library.ts';
import { queryablesOf } from './collections/catalog.ts';
import { generateDemo } from './generate-demo.ts';

/** Goes up with every change to what is generated, so that an older file is not taken for it. */
const version = 4;
/** Making an item takes some 150 µs: after so many others get their turn. */
const itemsPerTurn = 50;

/** Which catalog, and where it is kept. */
export interface DemoStoreOptions {
  dataDir: string;
  seed: number;
  itemCount: number;
  nowMs: number;
  /** Called now and then while the catalog is made. */
  onProgress?: ((progress: { itemsDone: number; itemCount: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Opens the library that holds a demo catalog, after making it if it isn't there. It is made under another name and
 * renamed when complete: a file under its own name is never half a catalog.
 * @throws AppError `input.invalid`, and as openLibrary
 */
export async function openDemoLibrary(options: DemoStoreOptions): Promise<Library> {
  const { dataDir, seed, itemCount } = options;
  if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(itemCount) || itemCount < 0) {
    throw new AppError('input.invalid', 'Seed and number of items of a demo catalog are whole numbers');
  }
  const fileName = `demo-${seed}-${itemCount}-v${version}.sqlite`;
  const filePath = join(dataDir, fileName);
  if (!(await exists(filePath))) {
    await mkdir(dataDir, { recursive: true });
    await removeLeftOvers(dataDir, fileName);
    await removeOldVersions(dataDir);
    // Two starts at once make one each; the later rename replaces the same content.
    const makingPath = join(dataDir, `${fileName}.making-${process.pid}-${randomBytes(4).toString('hex')}`);
    try {
      await fillLibrary(makingPath, options);
      await rename(makingPath, filePath);
    } finally {
      await removeDatabase(makingPath);
    }
  }
  const library = openLibrary({ filePath });
  const now = new Date();
  await utimes(filePath, now, now);
  return library;
}

/**
 * How many items the demo catalog had that was last opened in a folder; null where there is none. Whoever names no number
 * means that one: a command speaks of the same catalog as the window, which may have been given a number.
 */
export async function findLastItemCount(dataDir: string, seed: number): Promise<number | null> {
  const names = await readdir(dataDir).catch(() => []);
  const found = names.flatMap((name) => {
    const [, itsSeed, itemCount, itsVersion] = /^demo-(\d+)-(\d+)-v(\d+)\.sqlite$/.exec(name) ?? [];
    const isOurs = Number(itsSeed) === seed && Number(itsVersion) === version;
    return isOurs ? [{ itemCount: Number(itemCount), path: join(dataDir, name) }] : [];
  });
  const dated = await Promise.all(
    found.map(async ({ itemCount, path }) => ({ itemCount, atMs: (await stat(path)).mtimeMs })),
  );
  return dated.sort((one, other) => other.atMs - one.atMs)[0]?.itemCount ?? null;
}

/** Item by item; after some of them others get their turn. */
async function fillLibrary(
  filePath: string,
  { seed, itemCount, nowMs, onProgress, signal }: DemoStoreOptions,
): Promise<void> {
  const library = openLibrary({ filePath });
  try {
    const { collections, items } = generateDemo({ seed, itemCount });
    await library.saveCollections(collections, nowMs);
    for (const { id } of collections) {
      const answer = queryablesOf(id);
      if (answer) await library.saveQueryables([id], answer, nowMs);
    }
    const stream = createItemStream(library, nowMs);
    let itemsDone = 0;
    for (const item of items()) {
      await stream.put(item);
      itemsDone += 1;
      if (itemsDone % itemsPerTurn > 0) continue;
      onProgress?.({ itemsDone, itemCount });
      await setImmediate();
      signal?.throwIfAborted();
    }
    await stream.end();
    onProgress?.({ itemsDone: itemCount, itemCount });
  } finally {
    // Closing brings the write-ahead log into the file, which then stands alone.
    await library.close();
  }
}

/** What an earlier start left when it was ended in the middle. One that another process is still making is let be. */
async function removeLeftOvers(dataDir: string, fileName: string): Promise<void> {
  const making = new RegExp(`^${fileName.replaceAll('.', '\\.')}\\.making-(\\d+)-`);
  for (const name of await readdir(dataDir)) {
    const owner = making.exec(name)?.[1];
    if (owner !== undefined && !isProcessAlive(Number(owner))) await rm(join(dataDir, name), { force: true });
  }
}

/** Catalogs that an earlier version generated: nothing reads them any more. */
async function removeOldVersions(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const old = /^demo-\d+-\d+-v(\d+)\.sqlite(?:-wal|-shm)?$/.exec(name)?.[1];
    if (old !== undefined && Number(old) < version) await rm(join(dataDir, name), { force: true });
  }
}

async function removeDatabase(filePath: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await rm(filePath + suffix, { force: true });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
