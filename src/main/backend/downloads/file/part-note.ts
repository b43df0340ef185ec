import { z } from 'zod';
import { readJson, writeJsonBy } from './write-json.ts';
import { hasDiskCode } from './disk-error.ts';
import { systemDisk, type Disk } from './disk.ts';
import { deleteFile, type PublishOptions } from './publish.ts';

const partNoteSchema = z.object({
  connectionId: z.string(),
  collectionId: z.string(),
  itemId: z.string(),
  assetKey: z.string(),
  /** Name of the file that it becomes. */
  file: z.string(),
  bytes: z.number().int().nullable(),
  /** As the catalog announced it. */
  checksum: z.string().nullable(),
  etag: z.string().nullable(),
  swathVersion: z.string(),
});

/** What lies beside a part file, so that it can be taken up by a queue that has lost its own file. No link. */
export type PartNote = z.infer<typeof partNoteSchema>;

/** Where the note of a part file is. */
export function partNotePath(partPath: string): string {
  return `${partPath}.json`;
}

/** Writes the note of a part file, durably. Throws the file system's errors. */
export async function writePartNote(partPath: string, note: PartNote, disk: Disk): Promise<void> {
  // Nobody else writes it: what a program that was killed has left there is in the way of the next, and not for ever.
  const paths = { path: partNotePath(partPath), temporary: halfPartNotePath(partPath) };
  try {
    await writeJsonBy(paths, note, disk);
  } catch (error) {
    if (!hasDiskCode(error, 'EEXIST')) throw error;
    await disk.unlink(paths.temporary);
    await writeJsonBy(paths, note, disk);
  }
}

function halfPartNotePath(partPath: string): string {
  return `${partNotePath(partPath)}.tmp`;
}

/** The note of a part file; null when there is none, or none that can be read. */
export async function readPartNote(partPath: string, disk: Disk = systemDisk): Promise<PartNote | null> {
  const found = await readJson(partNotePath(partPath), disk).catch(() => null);
  const note = partNoteSchema.safeParse(found);
  return note.success ? note.data : null;
}

/** Deletes a part file and its note, the note last: it says whose the part is. @throws AppError `transfer.*` */
export async function deletePart(partPath: string, options: PublishOptions = {}): Promise<void> {
  await deleteFile(partPath, options);
  await deletePartNote(partPath, options);
}

/** Deletes the note of a part file that is gone, or in whose place something else is. @throws AppError `transfer.*` */
export async function deletePartNote(partPath: string, options: PublishOptions = {}): Promise<void> {
  await deleteFile(halfPartNotePath(partPath), options);
  await deleteFile(partNotePath(partPath), options);
}
