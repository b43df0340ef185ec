import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AppError } from '#shared/errors/app-error.ts';
import { removeFile, syncPath } from '../library/upkeep/back-up.ts';
import { renameDatabase, setAside } from '../library/upkeep/set-aside.ts';

const replacementSchema = z.object({
  /** Whose library it is; null for the notebook. */
  connectionId: z.string().nullable(),
  filePath: z.string(),
  /** What is to lie there; null for nothing. */
  newPath: z.string().nullable(),
  /** Where what lies there until then goes. */
  asidePath: z.string(),
});

/** A SQLite file that takes another's place. */
export type Replacement = z.infer<typeof replacementSchema>;

/** Lies in Swath's own folder from before the first of several files is replaced until after the last. */
const planName = 'replacing.json';

/** Makes the plan durable: from here on the next start finishes it, unless it is dropped. */
export function writePlan(dataDir: string, replacements: readonly Replacement[]): void {
  const path = join(dataDir, planName);
  writeFileSync(`${path}.new`, JSON.stringify(replacements));
  syncPath(`${path}.new`);
  renameSync(`${path}.new`, path);
  syncPath(dataDir);
}

/** What a killed program was replacing; null for nothing. */
export function readPlan(dataDir: string): Replacement[] | null {
  try {
    const text = readFileSync(join(dataDir, planName), 'utf8');
    return z.array(replacementSchema).parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Ends a plan once all of it is done, or all of it undone: what was renamed is on the disk first. */
export function dropPlan(dataDir: string, replacements: readonly Replacement[]): void {
  for (const folder of new Set(replacements.map(({ filePath }) => dirname(filePath)))) syncPath(folder);
  rmSync(join(dataDir, planName), { force: true });
}

/**
 * Replaces a file that nobody has open, all of it or nothing.
 * @throws AppError `library.corrupt` where what was to come is gone; errors of the disk as they are
 */
export function replace({ filePath, newPath, asidePath }: Replacement): void {
  try {
    renameDatabase(filePath, asidePath);
    if (newPath !== null) place(newPath, filePath);
  } catch (thrown) {
    renameDatabase(asidePath, filePath);
    throw thrown;
  }
}

/** Undoes that. */
export function putBack({ filePath, newPath, asidePath }: Replacement): void {
  if (newPath === null) removeFile(filePath);
  else renameDatabase(filePath, newPath);
  renameDatabase(asidePath, filePath);
}

/** Finishes what a killed program began; what is done stays as it is. */
export function finishReplacing({ filePath, newPath, asidePath }: Replacement, nowMs: number): void {
  const isAside = existsSync(asidePath);
  if (newPath === null ? isAside : !existsSync(newPath)) return;
  if (!isAside) renameDatabase(filePath, asidePath);
  // One that was begun anew at this place meanwhile.
  else if (existsSync(filePath)) setAside(filePath, { state: 'replaced', nowMs });
  if (newPath !== null) place(newPath, filePath);
}

function place(newPath: string, filePath: string): void {
  if (!existsSync(newPath)) {
    throw new AppError('library.corrupt', `${newPath} is gone`, { details: { file: newPath } });
  }
  renameDatabase(newPath, filePath);
}
