import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { openQueueFile } from '../downloads/queue/open-queue-file.ts';
import { isProcessAlive } from '../is-process-alive.ts';
import { canWrite, isNoRoom, noRoom } from '../library/upkeep/choose-place.ts';
import type { Clock, Ports } from '../ports.ts';
import { chooseDataFolder, prepareDataFolder } from './choose-data-folder.ts';

/** The folder that the program works in, and how it is let go of. */
export interface DataFolder {
  ports: Ports;
  release: () => void;
}

const claimName = 'running.json';

/**
 * Takes the data folder for this program. Where it can't be written to, the program works in a temporary folder with a
 * copy of the notebook, without the download queue, and the libraries are read from their own place. On a full disk it
 * doesn't begin: a queue that can't be opened would look like one with nothing to do.
 * @throws AppError `library.in-use`, saying which program has it; `library.disk-full`, `library.newer-schema`,
 *   `library.corrupt`
 */
export function claimDataFolder(ports: Ports): DataFolder {
  if (existsSync(ports.dataDir) && !canWrite(ports.dataDir)) {
    const { dataDir, settings, release } = chooseDataFolder(ports, ['notebook.sqlite']);
    return { ports: { ...ports, dataDir, settings }, release };
  }
  const { dataDir } = ports;
  prepareDataFolder(dataDir);
  refuseSecond(dataDir);
  return { ports, release: writeClaim(dataDir, { host: ports.host, nowMs: ports.clock.now() }) };
}

/**
 * Opens the download queue of the data folder for a command, which then has it alone; `release` comes before its end.
 * @throws AppError `library.in-use`, saying which program has it; `library.read-only`; what `open` throws
 */
export function claimQueue<Queue>(
  dataDir: string,
  { clock, open }: { clock: Clock; open: (filePath: string) => Queue },
): { queue: Queue; release: () => void } {
  prepareDataFolder(dataDir);
  refuseSecond(dataDir);
  const queue = open(join(dataDir, 'downloads.sqlite'));
  return { queue, release: writeClaim(dataDir, { host: 'command-line', nowMs: clock.now() }) };
}

function writeClaim(dataDir: string, { host, nowMs }: { host: string; nowMs: number }): () => void {
  const claim = join(dataDir, claimName);
  const startedAt = new Date(nowMs).toISOString();
  const release = (): void => rmSync(claim, { force: true });
  try {
    writeFileSync(claim, JSON.stringify({ pid: process.pid, host, startedAt }));
  } catch (thrown) {
    release();
    throw isNoRoom(thrown) ? noRoom(`in the data folder ${dataDir}`, dataDir, thrown) : thrown;
  }
  return release;
}

// Before any library is opened: a second program must not take a file for damaged that the first is working on. The
// queue's lock ends with its process, however that ends.
function refuseSecond(dataDir: string): void {
  try {
    openQueueFile(join(dataDir, 'downloads.sqlite')).close();
  } catch (thrown) {
    const claim = join(dataDir, claimName);
    // A damaged queue is rebuilt by whoever opens it; not while another is at work with it.
    if (isAppError(thrown, 'library.corrupt') && !isOtherRunning(claim)) return;
    if (!isAppError(thrown, 'library.in-use') && !isAppError(thrown, 'library.corrupt')) throw thrown;
    const other = describeOther(claim);
    throw new AppError('library.in-use', `${thrown.message}${other ? `: ${other}` : ''}`, {
      details: { ...thrown.details, ...(other ? { other } : {}) },
      cause: thrown,
    });
  }
}

function isOtherRunning(claim: string): boolean {
  try {
    const { pid } = JSON.parse(readFileSync(claim, 'utf8')) as Record<string, unknown>;
    return typeof pid === 'number' && pid !== process.pid && isProcessAlive(pid);
  } catch {
    return false;
  }
}

function describeOther(claim: string): string | null {
  try {
    const { pid, host, startedAt } = JSON.parse(readFileSync(claim, 'utf8')) as Record<string, unknown>;
    if (typeof pid !== 'number' || typeof startedAt !== 'string') return null;
    const places: Record<string, string> = {
      electron: 'in its own window',
      'command-line': 'a swath command',
    };
    const where = places[String(host)] ?? 'in the browser';
    return `process ${String(pid)}, ${where}, since ${startedAt}`;
  } catch {
    return null;
  }
}
