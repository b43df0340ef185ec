import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { FileFinding } from '#shared/transfer/file-finding.ts';
import type { Clock } from '../../ports.ts';
import type { TransferStore } from './transfer-store.ts';

/**
 * Notes what was found of files of a download folder on those transfers that brought them, and are done; others are
 * nobody's here. Gives how many of the missing and changed files have such a transfer.
 */
export async function noteFindings(
  parts: {
    store: Pick<TransferStore, 'destinations' | 'doneByPath' | 'update' | 'together'>;
    clock: Clock;
    onChange: (transferId: number) => void;
  },
  findings: readonly FileFinding[],
): Promise<{ spoiltCount: number }> {
  const { store, clock, onChange } = parts;
  const namesOf = await namePaths(store.destinations().map(({ destination }) => destination));
  const found = new Map<string, FileFinding>();
  for (const finding of findings) for (const path of await namesOf(finding.path)) found.set(path, finding);
  const checkedAtMs = clock.now();
  return store.together(() => {
    const spoilt = new Set<FileFinding>();
    for (const { transferId, filePath } of store.doneByPath([...found.keys()])) {
      const finding = found.get(filePath);
      if (finding === undefined) continue;
      const { result } = finding;
      if (result !== 'ok') spoilt.add(finding);
      store.update(transferId, { finding: result === 'ok' ? null : result, checkedAtMs });
      onChange(transferId);
    }
    return { spoiltCount: spoilt.size };
  });
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
    return [...new Set([path, ...ordered])];
  };
}
