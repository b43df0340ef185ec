import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasDiskCode } from './disk-error.ts';
import { syncFolder } from './publish.ts';

/** Writes JSON so that after a crash the file is the old or the new one, never half of one. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  const temporary = `${path}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** What stands in a JSON file: undefined when there is none, null when it isn't JSON. */
export async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch (error) {
    if (hasDiskCode(error, 'ENOENT')) return undefined;
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
