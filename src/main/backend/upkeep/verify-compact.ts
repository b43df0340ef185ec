import { dirname } from 'node:path';
import type { StorageTask } from '#shared/storage/storage.ts';
import { checkWritable } from '../library/upkeep/check-writable.ts';
import { withReadable } from '../library/upkeep/choose-place.ts';
import { readBeside } from '../library/upkeep/read-beside.ts';
import { checkRoom } from './check-room.ts';
import { toFacts } from '../library/upkeep/verify-library.ts';
import { findLibrary, noteIfWritable, sizeOf, withUpkeep } from './library-files.ts';
import type { StorageParts, TaskResult, TaskRun } from './storage-parts.ts';

/** Checks a library's file, and notes what was found in it where it can still be written to. */
export async function verify(
  parts: StorageParts,
  { connectionId, isThorough }: Extract<StorageTask, { kind: 'verify' }>,
  { signal, onProgress }: TaskRun,
): Promise<TaskResult> {
  const library = findLibrary(parts, connectionId);
  const found = await withReadable(library.filePath, (filePath) =>
    readBeside('verify', { filePath, isThorough }, { signal, onProgress }),
  );
  const facts = toFacts(found);
  const note = { kind: 'verify' as const, atMs: parts.clock.now(), facts };
  await noteIfWritable(library, note).catch((thrown: unknown) => {
    if (found.problems.length === 0) throw thrown;
  });
  return { facts, undo: null };
}

/** Writes a library's file anew without its free pages. */
export async function compact(
  parts: StorageParts,
  { connectionId }: Extract<StorageTask, { kind: 'compact' }>,
  { signal, onProgress }: TaskRun,
): Promise<TaskResult> {
  const library = findLibrary(parts, connectionId);
  const { filePath } = library;
  // Before all of it is read to find out how much room it takes.
  checkWritable(filePath);
  checkWritable(dirname(filePath));
  const { neededBytes } = await readBeside('need', { filePath }, { signal });
  await checkRoom(dirname(filePath), neededBytes);
  const beforeBytes = sizeOf(filePath);
  return withUpkeep(library, async (upkeep) => {
    await upkeep.compact({ signal, onProgress });
    const afterBytes = sizeOf(filePath);
    const facts = { beforeBytes, afterBytes, gainBytes: Math.max(0, beforeBytes - afterBytes) };
    await upkeep.note({ kind: 'compact', atMs: parts.clock.now(), facts });
    return { facts, undo: null };
  });
}
