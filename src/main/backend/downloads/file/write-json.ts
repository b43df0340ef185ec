import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { hasDiskCode } from './disk-error.ts';
import { systemDisk, type Disk, type DiskFile } from './disk.ts';
import { syncFolder, whileLocked } from './publish.ts';

// Beyond everything that Swath writes: of a Collection, some 400,000 links to Items. More would fill the memory.
const mostBytes = 64 * 1024 * 1024;

const isHalfWritten = /^(item|receipt|collection|catalog)\.json\.[0-9a-f]{8}\.tmp$/;

/** Writes JSON so that after a crash the file is the old or the new one, never half of one. */
export function writeJson(path: string, value: unknown, disk: Disk = systemDisk): Promise<void> {
  // Several may write it at once.
  const temporary = `${path}.${randomUUID().slice(0, 8)}.tmp`;
  return writeJsonBy({ path, temporary }, value, disk);
}

/** `writeJson`, where its only writer knows where it stands before it has its name. Fails where something stands there. */
export async function writeJsonBy(
  { path, temporary }: { path: string; temporary: string },
  value: unknown,
  disk: Disk,
): Promise<void> {
  const file = await disk.open(temporary, 'create');
  try {
    try {
      await writeAll(file, Buffer.from(`${JSON.stringify(value, null, 2)}\n`));
      await file.sync();
    } finally {
      await file.close();
    }
    // A scanner may have the one that is there open.
    await whileLocked(() => disk.rename(temporary, path), path);
  } catch (error) {
    await disk.unlink(temporary).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path), disk);
}

/** Deletes what `writeJson` of a program that was killed has left in a folder in which nobody writes now. */
export async function sweepHalfWritten(folder: string, disk: Disk): Promise<void> {
  for (const name of await disk.readdir(folder)) {
    if (isHalfWritten.test(name)) await disk.unlink(join(folder, name));
  }
}

/** What stands in a JSON file: undefined when there is none, null when it isn't JSON, or too large to be any of Swath's. */
export async function readJson(path: string, disk: Disk = systemDisk): Promise<unknown> {
  try {
    const bytes = await readAll(path, disk);
    return bytes === null ? null : (JSON.parse(bytes.toString('utf8')) as unknown);
  } catch (error) {
    if (hasDiskCode(error, 'ENOENT')) return undefined;
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

async function writeAll(file: DiskFile, bytes: Buffer): Promise<void> {
  for (let position = 0; position < bytes.length;) {
    position += await file.write([bytes.subarray(position)], position);
  }
}

async function readAll(path: string, disk: Disk): Promise<Buffer | null> {
  const file = await disk.open(path, 'read');
  try {
    const sizeBytes = await file.sizeBytes();
    if (sizeBytes > mostBytes) return null;
    const bytes = Buffer.allocUnsafe(sizeBytes);
    return bytes.subarray(0, await file.read(bytes, 0));
  } finally {
    await file.close();
  }
}
