import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '#shared/errors/app-error.ts';
import type { Backup } from '#shared/storage/storage.ts';
import { libraryApplicationId } from '../library/open-database.ts';
import { libraryFileName } from '../library/library-file.ts';
import { migrations } from '../library/migrations.ts';
import { syncPath } from '../library/upkeep/back-up.ts';
import { inspectFile } from '../library/upkeep/inspect-file.ts';

const manifestName = 'backup.json';
const notebookName = 'notebook.sqlite';
const maxManifestBytes = 1_000_000;

const fileSchema = z
  .object({
    kind: z.enum(['library', 'notebook']),
    /** Within the folder; nothing that leads out of it. */
    file: z.string().regex(/^(library-[A-Za-z0-9_-]{1,200}|notebook)\.sqlite$/),
    /** Names the file that is replaced, so it leads nowhere else either; null of a notebook. */
    connectionId: z.string().nullable(),
    name: z.string(),
    itemCount: z.number().int().min(0),
    sizeBytes: z.number().int().min(0),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  })
  .refine(
    ({ kind, file, connectionId }) =>
      file === (kind === 'notebook' ? notebookName : libraryFileName(connectionId ?? '')),
  );

const manifestSchema = z.object({
  format: z.literal('swath-backup'),
  version: z.literal(1),
  createdAtMs: z.number().int(),
  appVersion: z.string(),
  files: z
    .array(fileSchema)
    .max(2000)
    .refine((files) => new Set(files.map(({ file }) => file)).size === files.length),
});

/** What a backup says of itself; written last, so that a folder without it is no backup. */
export type BackupManifest = z.infer<typeof manifestSchema>;

/** One file of a backup. */
export type BackupFile = z.infer<typeof fileSchema>;

/** Completes a backup. */
export function writeManifest(folder: string, manifest: BackupManifest): void {
  const path = join(folder, manifestName);
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
  syncPath(path);
  syncPath(folder);
}

/**
 * Reads what a folder says that it holds. Its files are looked at, and not yet read.
 * @throws AppError `library.not-a-backup`, `library.newer-schema`
 */
export function readManifest(folder: string): BackupManifest {
  const path = join(folder, manifestName);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw notABackup('There is no backup.json in it.');
  if (stats.size > maxManifestBytes) throw notABackup('Its backup.json is too large.');
  const parsed = manifestSchema.safeParse(tryParse(readFileSync(path, 'utf8')));
  if (!parsed.success) throw notABackup('Its backup.json can’t be read.');
  for (const file of parsed.data.files) checkFile(folder, file);
  return parsed.data;
}

/** A backup in short. */
export function describeBackup(folder: string, { createdAtMs, files }: BackupManifest): Backup {
  return {
    folder,
    createdAtMs,
    libraries: files
      .filter(({ kind }) => kind === 'library')
      .map(({ connectionId, name, itemCount, sizeBytes }) => ({
        connectionId: connectionId ?? '',
        name,
        itemCount,
        sizeBytes,
      })),
    hasNotebook: files.some(({ kind }) => kind === 'notebook'),
  };
}

/** The SHA-256 of a file, in hexadecimal digits. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, signal ? { signal } : {})) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Refuses a folder or a file as no backup. */
export function notABackup(why: string): AppError {
  return new AppError('library.not-a-backup', `That is no backup: ${why}`, { details: { why } });
}

function checkFile(folder: string, { file, kind, sizeBytes }: BackupFile): void {
  const path = join(folder, file);
  if (!existsSync(path)) throw notABackup(`${file} is missing.`);
  const header = inspectFile(path);
  if (header?.sizeBytes !== sizeBytes) throw notABackup(`${file} has another size than it had.`);
  if (kind !== 'library') return;
  if (!header.isSqlite || header.applicationId !== libraryApplicationId) {
    throw notABackup(`${file} is no library of Swath.`);
  }
  if (header.schemaVersion > migrations.length) {
    throw new AppError('library.newer-schema', `${path} was written by a newer Swath`, {
      details: { file: path, schema: header.schemaVersion, known: migrations.length },
    });
  }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
