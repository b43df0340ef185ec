import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { DownloadOrderView } from '#shared/transfer/download-order.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';

/** A file that the queue has brought, and that no receipt tells of. */
export interface UnnamedFile {
  transfer: Transfer;
  filePath: string;
  /** Below the folder that was looked through. */
  path: string;
  /** Whether it is not there any more. */
  isGone: boolean;
}

/**
 * The files that a queue has as done below a folder, and that no receipt tells of: receipts go with the folders of their
 * Items, or are damaged.
 */
export async function findUnnamedFiles(
  root: string,
  named: ReadonlySet<string>,
  queue: { transfers: readonly Transfer[]; orders: readonly DownloadOrderView[] },
): Promise<UnnamedFile[]> {
  const realRoot = await realpath(root);
  const destinations = await readDestinations(queue.orders);
  const found = new Map<string, UnnamedFile>();
  for (const transfer of queue.transfers) {
    const { state, filePath, downloadId } = transfer;
    const destination = destinations.get(downloadId);
    // What went to a drive that is unplugged is not lost.
    if (state !== 'done' || filePath === null || destination?.real == null) continue;
    const inside = pathBelow(destination.name, filePath);
    const path = pathBelow(realRoot, inside === null ? filePath : join(destination.real, inside));
    if (path === null || named.has(path) || found.has(path)) continue;
    found.set(path, { transfer, filePath, path, isGone: await isGone(filePath) });
  }
  return [...found.values()];
}

// Orders name their folder as it was given, and files are named by where it really is.
async function readDestinations(
  orders: readonly DownloadOrderView[],
): Promise<Map<number, { name: string; real: string | null }>> {
  const found = new Map<string, { name: string; real: string | null }>();
  for (const name of new Set(orders.map(({ destination }) => destination)))
    found.set(name, { name, real: await realpath(name).catch(() => null) });
  return new Map(
    orders.flatMap(({ downloadId, destination }) => {
      const known = found.get(destination);
      return known === undefined ? [] : [[downloadId, known]];
    }),
  );
}

function pathBelow(folder: string, path: string): string | null {
  const inside = relative(folder, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? null : inside;
}

async function isGone(path: string): Promise<boolean> {
  try {
    return !(await lstat(path)).isFile();
  } catch (error) {
    // What can't be looked at may be there.
    return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
  }
}
