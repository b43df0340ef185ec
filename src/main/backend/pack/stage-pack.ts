import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAppError } from '#shared/errors/app-error.ts';
import { toDiskError } from '../downloads/file/disk-error.ts';
import { refuseIfStopped, refusePack } from './pack-error.ts';
import type { PackFile } from './pack-file.ts';
import { filesFolder } from './pack-format.ts';
import { makeWorkFolder, noteOtherFolder } from './work-folder.ts';

/** A pack's content, unpacked beside where it is going, every byte as the manifest says. */
export interface StagedPack {
  /** Where an entry lies; null for one that was only checked. */
  pathOf(entry: string): string | null;
  /** Takes away what was not moved on. */
  discard(): Promise<void>;
}

interface StageOptions {
  /** For all but the files. */
  dataDir: string;
  /** For the files, on the volume that they are going to; null where they are not wanted. */
  destination: string | null;
  onProgress: (progress: { doneBytes: number; totalBytes: number }) => void;
  signal: AbortSignal;
}

/**
 * Unpacks into fresh folders under numbers, never under names of the pack, and proves each entry's SHA-256.
 * @throws AppError `exchange.unreadable`, `transfer.*`, `cancelled`; then nothing is left
 */
export async function stagePack(pack: PackFile, options: StageOptions): Promise<StagedPack> {
  const { entries } = pack.manifest;
  const totalBytes = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const folders: string[] = [];
  const paths = new Map<string, string>();
  const discard = async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  };
  const make = async (parent: string): Promise<string> => {
    const folder = await makeWorkFolder(parent);
    folders.push(folder);
    return folder;
  };
  try {
    const dataFolder = await make(options.dataDir);
    const filesParent = options.destination === null ? null : await make(options.destination);
    if (filesParent !== null) await noteOtherFolder(dataFolder, filesParent);
    let doneBytes = 0;
    for (const [index, { path, bytes, sha256 }] of entries.entries()) {
      const folder = path.startsWith(`${filesFolder}/`) ? filesParent : dataFolder;
      const staged = folder === null ? null : join(folder, String(index));
      const digest = await copyEntry(pack, path, {
        to: staged,
        bytes,
        signal: options.signal,
        onBytes: (count) => options.onProgress({ doneBytes: (doneBytes += count), totalBytes }),
      });
      if (digest !== sha256) throw refusePack(`“${path}” is not what it was when the pack was made.`);
      if (staged !== null) paths.set(path, staged);
    }
    return { pathOf: (entry) => paths.get(entry) ?? null, discard };
  } catch (thrown) {
    await discard();
    throw thrown;
  }
}

interface CopyOptions {
  to: string | null;
  bytes: number;
  signal: AbortSignal;
  onBytes: (count: number) => void;
}

async function copyEntry(
  pack: PackFile,
  path: string,
  { to, bytes, signal, onBytes }: CopyOptions,
): Promise<string> {
  const hash = createHash('sha256');
  const file =
    to === null
      ? null
      : await open(to, 'wx', 0o600).catch((thrown: unknown) => Promise.reject(toDiskError(thrown, to)));
  try {
    let leftBytes = bytes;
    for await (const chunk of await pack.open(path)) {
      refuseIfStopped(signal);
      const part = chunk as Buffer;
      leftBytes -= part.length;
      if (leftBytes < 0) throw refusePack(`“${path}” is larger than it says.`);
      hash.update(part);
      await file?.writeFile(part).catch((thrown: unknown) => Promise.reject(toDiskError(thrown, to ?? '')));
      onBytes(part.length);
    }
    if (leftBytes > 0) throw refusePack(`“${path}” is shorter than it says.`);
  } catch (thrown) {
    throw isAppError(thrown) ? thrown : refusePack(`“${path}” is damaged.`);
  } finally {
    await file?.close();
  }
  return hash.digest('hex');
}
