import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { FileFinding } from '#shared/transfer/file-finding.ts';
import type { Clock } from '../../ports.ts';
import type { Volumes } from '../file/volumes.ts';
import type { TransferStore } from './transfer-store.ts';

/**
 * Notes what was found of files of a download folder on those transfers that brought them, and are done; others are
 * nobody's here. Gives how many of the missing and changed files have such a transfer, and the destinations that are not on
 * the volume that they were on: of what is missing there nothing is known.
 */
export async function noteFindings(
  parts: {
    store: Pick<TransferStore, 'destinations' | 'doneByPath' | 'update' | 'together'>;
    volumes: Pick<Volumes, 'enter'>;
    clock: Clock;
    onChange: (transferId: number) => void;
  },
  findings: readonly FileFinding[],
): Promise<{ spoiltCount: number; awayFolders: string[] }> {
  const { store, volumes, clock, onChange } = parts;
  const destinations = [...new Set(store.destinations().map(({ destination }) => destination))];
  const namesOf = await namePaths(destinations);
  const awayFolders = await findAway(destinations, volumes);
  const found = new Map<string, FileFinding>();
  for (const finding of findings) for (const path of await namesOf(finding.path)) found.set(path, finding);
  const checkedAtMs = clock.now();
  return store.together(() => {
    const spoilt = new Set<FileFinding>();
    for (const { transferId, filePath } of store.doneByPath([...found.keys()])) {
      const finding = found.get(filePath);
      if (finding === undefined) continue;
      const { result } = finding;
      if (result === 'missing' && awayFolders.some((folder) => isBelow(folder, filePath))) continue;
      if (result !== 'ok') spoilt.add(finding);
      store.update(transferId, { finding: result === 'ok' ? null : result, checkedAtMs });
      onChange(transferId);
    }
    return { spoiltCount: spoilt.size, awayFolders };
  });
}

async function findAway(destinations: readonly string[], volumes: Pick<Volumes, 'enter'>): Promise<string[]> {
  const isAway = (destination: string): Promise<boolean> =>
    volumes.enter(destination, null).then(
      () => false,
      () => true,
    );
  const away = await Promise.all(destinations.map(isAway));
  return destinations.filter((_, index) => away[index]);
}

function isBelow(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return !inside.startsWith('..') && !isAbsolute(inside);
}

// A folder may be looked through by another name than it was ordered into: over a link, or past one.
async function namePaths(destinations: readonly string[]): Promise<(path: string) => Promise<string[]>> {
  const realNames = new Map<string, Promise<string>>();
  const realNameOf = (folder: string): Promise<string> => {
    const known = realNames.get(folder) ?? realpath(folder).catch(() => folder);
    realNames.set(folder, known);
    return known;
  };
  const roots = await Promise.all(destinations.map(async (name) => ({ name, real: await realNameOf(name) })));
  return async (path) => {
    const real = join(await realNameOf(dirname(path)), basename(path));
    const ordered = roots.flatMap((root) => {
      return isBelow(root.real, real) ? join(root.name, relative(root.real, real)) : [];
    });
    return [...new Set([path, real, ...ordered])];
  };
}
