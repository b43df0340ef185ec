import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { openQueueFile } from '../downloads/open-queue-file.ts';
import { canWrite } from '../library/upkeep/choose-place.ts';
import type { Ports } from '../ports.ts';

/** The folder that the program works in, and how it is let go of. */
export interface DataFolder {
  ports: Ports;
  release: () => void;
}

const claimName = 'running.json';

/**
 * Takes the data folder for this program. Where it can't be written to, the program works in a temporary folder with a
 * copy of the notebook, without the download queue, and the libraries are read from their own place.
 * @throws AppError `library.in-use`, saying which program has it; `library.newer-schema`, `library.corrupt`
 */
export function claimDataFolder(ports: Ports): DataFolder {
  const { dataDir } = ports;
  if (existsSync(dataDir) && !canWrite(dataDir)) return workBeside(ports);
  mkdirSync(dataDir, { recursive: true });
  refuseSecond(dataDir);
  const claim = join(dataDir, claimName);
  writeFileSync(
    claim,
    JSON.stringify({
      pid: process.pid,
      host: ports.host,
      startedAt: new Date(ports.clock.now()).toISOString(),
    }),
  );
  return { ports, release: () => rmSync(claim, { force: true }) };
}

function workBeside(ports: Ports): DataFolder {
  const { dataDir, settings } = ports;
  const folder = mkdtempSync(join(tmpdir(), 'swath-unkept-'));
  for (const name of ['notebook.sqlite', 'notebook.sqlite-wal']) {
    if (existsSync(join(dataDir, name))) cpSync(join(dataDir, name), join(folder, name));
  }
  const stored = settings.read();
  return {
    ports: {
      ...ports,
      dataDir: folder,
      settings: {
        read: () => ({ ...stored, libraryFolder: stored['libraryFolder'] ?? dataDir }),
        write: () => undefined,
      },
    },
    release: () => rmSync(folder, { recursive: true, force: true }),
  };
}

// Before any library is opened: a second program must not take a file for damaged that the first is working on. The
// queue's lock ends with its process, however that ends.
function refuseSecond(dataDir: string): void {
  try {
    openQueueFile(join(dataDir, 'downloads.sqlite')).close();
  } catch (thrown) {
    if (!isAppError(thrown, 'library.in-use')) throw thrown;
    const other = describeOther(join(dataDir, claimName));
    throw new AppError('library.in-use', `${thrown.message}${other ? `: ${other}` : ''}`, {
      details: { ...thrown.details, ...(other ? { other } : {}) },
      cause: thrown,
    });
  }
}

function describeOther(claim: string): string | null {
  try {
    const { pid, host, startedAt } = JSON.parse(readFileSync(claim, 'utf8')) as Record<string, unknown>;
    if (typeof pid !== 'number' || typeof startedAt !== 'string') return null;
    const where = host === 'electron' ? 'in its own window' : 'in the browser';
    return `process ${String(pid)}, ${where}, since ${startedAt}`;
  } catch {
    return null;
  }
}
