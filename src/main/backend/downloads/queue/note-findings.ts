import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { FileFinding } from '#shared/transfer/file-finding.ts';
import type { Clock } from '../../ports.ts';
import type { Volumes } from '../file/volumes.ts';
import type { TransferStore } from './transfer-store.ts';

type Store = Pick<TransferStore, 'destinations' | 'doneByPath' | 'update' | 'together'>;

/**
 * Notes what was found of files of a download folder on those transfers that brought them, and are done; others are
 * nobody's here. Gives how many of the missing and changed files have such a transfer, and the paths of missing ones of
 * which nothing is known: their destination is not on the volume that it was on.
 */
export async function noteFindings(
  parts: {
    store: Store;
    volumes: Pick<Volumes, 'isDriveThere'>;
    clock: Clock;
    onChange: (transferId: number) => void;
  },
  findings: readonly FileFinding[],
): Promise<{ spoiltCount: number; unknownPaths: string[] }> {
  const { store, clock, onChange } = parts;
  const namesOf = await namePaths(store.destinations().map(({ destination }) => destination));
  const found = new Map<string, FileFinding>();
  for (const finding of findings) for (const path of await namesOf(finding.path)) found.set(path, finding);
  const away = await findAway(parts, found);
  const checkedAtMs = clock.now();
  return store.together(() => {
    const spoilt = new Set<FileFinding>();
    const unknownPaths = new Set<string>();
    for (const { transferId, filePath, destination } of store.doneByPath([...found.keys()])) {
      const finding = found.get(filePath);
      if (finding === undefined) continue;
      const { result, path } = finding;
      if (result === 'missing' && away.has(destination)) {
        unknownPaths.add(path);
        continue;
      }
      if (result !== 'ok') spoilt.add(finding);
      store.update(transferId, { finding: result === 'ok' ? null : result, checkedAtMs });
      onChange(transferId);
    }
    return { spoiltCount: spoilt.size, unknownPaths: [...unknownPaths] };
  });
}

/** The destinations of missing files that are not where they were. */
async function findAway(
  { store, volumes }: { store: Store; volumes: Pick<Volumes, 'isDriveThere'> },
  found: ReadonlyMap<string, FileFinding>,
): Promise<Set<string>> {
  const missing = [...found].flatMap(([path, { result }]) => (result === 'missing' ? [path] : []));
  const away = new Set(store.doneByPath(missing).map(({ destination }) => destination));
  for (const destination of away) if (await volumes.isDriveThere(destination)) away.delete(destination);
  return away;
}

// A folder may be looked through by another name than it was ordered into: over a link, or past one.
async function namePaths(destinations: readonly string[]): Promise<(path: string) => Promise<string[]>> {
  const realNames = new Map<string, Promise<string>>();
  const realNameOf = (folder: string): Promise<string> => {
    const known = realNames.get(folder) ?? realpath(folder).catch(() => folder);
    realNames.set(folder, known);
    return known;
  };
  const roots = await Promise.all(
    [...new Set(destinations)].map(async (name) => ({ name, real: await realNameOf(name) })),
  );
  return async (path) => {
    const real = join(await realNameOf(dirname(path)), basename(path));
    const ordered = roots.flatMap((root) => {
      const inside = relative(root.real, real);
      return inside.startsWith('..') || isAbsolute(inside) ? [] : join(root.name, inside);
    });
    return [...new Set([path, real, ...ordered])];
  };
}
