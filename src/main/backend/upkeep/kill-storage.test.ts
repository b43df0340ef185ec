import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { anItem } from '../library/upkeep/testing/make-items.ts';
import { withFile } from '../library/upkeep/testing/fill-library.ts';
import { verifyLibrary } from '../library/upkeep/verify-library.ts';
import { unwatched } from '../library/upkeep/work-watch.ts';
import { hashFile, readManifest } from './backup-folder.ts';
import { findLibraryFile, openStorageDesk } from './testing/storage-desk.ts';

const child = fileURLToPath(new URL('./testing/storage-child.ts', import.meta.url));
/** `SWATH_KILLS=500` for a long run. */
const killsEach = Math.ceil(Number(process.env['SWATH_KILLS'] ?? 30) / 5);

interface Killed {
  keptPages: number[];
  output: string;
}

/** Lets the child work for a while after it began, and kills it. */
function runAndKill(args: readonly string[], delayMs: number): Promise<Killed> {
  return new Promise((resolve) => {
    const running = spawn(process.execPath, [child, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    let isTimed = false;
    running.stdout.on('data', (data: Buffer) => {
      output += data.toString();
      if (isTimed || !output.includes('ready')) return;
      isTimed = true;
      setTimeout(() => running.kill('SIGKILL'), delayMs);
    });
    running.on('close', () => {
      const kept = [...output.matchAll(/^kept (\d+)$/gm)].map(([, page]) => Number(page));
      resolve({ keptPages: kept, output });
    });
  });
}

it.each(['ingest', 'evict', 'compact', 'back-up', 'move'])(
  `leaves a sound library with all that was kept when it is killed at any moment: %s`,
  async (task) => {
    const folder = mkdtempSync(join(tmpdir(), 'swath-kill-'));
    const kept: number[] = [];
    for (let round = 0; round < killsEach; round += 1) {
      const firstPage = (kept.at(-1) ?? -1) + 1;
      const { keptPages, output } = await runAndKill([folder, task, String(firstPage)], Math.random() * 450);
      expect(output).not.toContain('failed');
      kept.push(...keptPages);
      await expectSound(folder, { kept, isEvicting: task === 'evict' });
      expectOnePlace(folder);
    }
    await expectBackupsWhole(join(folder, 'other'));
    rmSync(folder, { recursive: true, force: true });
  },
  killsEach * 30_000,
);

async function expectSound(
  folder: string,
  { kept, isEvicting }: { kept: readonly number[]; isEvicting: boolean },
): Promise<void> {
  const desk = openStorageDesk(join(folder, 'data'));
  const { library, status } = desk.keeper;
  expect(status).toMatchObject({ recovery: null, isKept: true, writeProblem: null });
  if (!isEvicting) {
    for (const page of kept) {
      const last = anItem('c', page * 100 + 99);
      expect(library.item(last.ref)?.value).toEqual(last);
    }
  }
  const filePath = findLibraryFile(desk);
  await desk.close();
  const { problems } = withFile(filePath, (database) =>
    verifyLibrary(database, { isThorough: true, watch: unwatched }),
  );
  expect(problems).toEqual([]);
}

/** A move leaves nothing beside the library that is in use. */
function expectOnePlace(folder: string): void {
  const names = ['data', 'other'].flatMap((name) => readdirSync(join(folder, name)));
  expect(names.filter((name) => name === 'library-desk.sqlite')).toHaveLength(1);
  expect(names.filter((name) => name.includes('moving'))).toEqual([]);
}

/** Each folder is a whole backup, or says by its name that it may be none. */
async function expectBackupsWhole(folder: string): Promise<void> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((one) => /^swath-backup-[-\d]+$/.test(one))) {
    const { files } = readManifest(join(folder, name));
    for (const { file, sha256 } of files) expect(await hashFile(join(folder, name, file))).toBe(sha256);
  }
}
