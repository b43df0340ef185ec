import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import type { Ports } from '../ports.ts';

/** Folders, and the files in one that may be chosen. */
interface FileListing {
  path: string;
  parent: string | null;
  folders: string[];
  files: { name: string; sizeBytes: number }[];
}

/** The only way to files that a path from outside names. */
export interface ChosenFiles {
  /** The system's dialog; null when it was dismissed. @throws AppError `host.unsupported` */
  choose(): Promise<string | null>;
  /** What a person can choose from. @throws AppError `transfer.destination-missing`, `host.unsupported` */
  list(path: string | null): Promise<FileListing>;
  /** Whether a person chose this file. Where there is a dialog, only what was chosen there. */
  mayOpen(path: string): boolean;
}

/** Builds the access to files of one kind; `extensions` without their dots. */
export function createChosenFiles(
  { desktop, homeDir }: Pick<Ports, 'desktop' | 'homeDir'>,
  kind: { name: string; extensions: string[] },
): ChosenFiles {
  const chosen = new Set<string>();
  const isOfKind = (name: string): boolean =>
    kind.extensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`));
  return {
    async choose() {
      if (!desktop.chooseFile)
        throw new AppError('host.unsupported', 'This host can’t do that: no file dialog');
      const path = await desktop.chooseFile(kind);
      if (path !== null) chosen.add(path);
      return path;
    },
    async list(path) {
      if (desktop.chooseFile) {
        throw new AppError(
          'host.unsupported',
          'This host can’t do that: files are chosen in the system dialog',
        );
      }
      return listFiles(path ?? homeDir, isOfKind);
    },
    mayOpen: (path) => isAbsolute(path) && !path.includes('\0') && (!desktop.chooseFile || chosen.has(path)),
  };
}

async function listFiles(path: string, isOfKind: (name: string) => boolean): Promise<FileListing> {
  const folder = isAbsolute(path) && !path.includes('\0') ? await realpath(path).catch(() => null) : null;
  const entries = folder === null ? null : await readdir(folder).catch(() => null);
  if (folder === null || entries === null) {
    throw new AppError('transfer.destination-missing', `There is no folder ${path}`, { details: { path } });
  }
  const folders: string[] = [];
  const files: FileListing['files'] = [];
  await Promise.all(
    entries
      .filter((name) => !name.startsWith('.'))
      .map(async (name) => {
        const stats = await stat(join(folder, name)).catch(() => null);
        if (stats?.isDirectory()) folders.push(name);
        else if (stats?.isFile() && isOfKind(name)) files.push({ name, sizeBytes: stats.size });
      }),
  );
  const parent = dirname(folder);
  return {
    path: folder,
    parent: parent === folder ? null : parent,
    folders: folders.sort((a, b) => a.localeCompare(b)),
    files: files.sort((a, b) => a.name.localeCompare(b.name)),
  };
}
