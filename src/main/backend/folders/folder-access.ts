import { constants } from 'node:fs';
import { access, mkdir, readdir, realpath, stat, statfs } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import type { Ports } from '../ports.ts';
import type { SettingsHolder } from '../settings/settings-holder.ts';
import { checkFolderName } from './folder-name.ts';

/** A folder and the space left for us on its volume; null when the system doesn't tell. */
export interface Folder {
  path: string;
  freeBytes: number | null;
}

/** The only way to folders that a path from outside names. */
export interface FolderAccess {
  /** Where downloads go when nothing else is chosen; may not exist yet. */
  suggested(): Promise<Folder>;
  /** The system's dialog; null when it was dismissed. Throws `host.unsupported`. */
  choose(startAt: string | null): Promise<Folder | null>;
  /** Visible subfolders by name. Throws `host.unsupported` where a dialog does this. */
  list(path: string | null): Promise<{ folder: Folder; parent: string | null; children: string[] }>;
  create(parent: string, name: string): Promise<Folder>;
  /**
   * The real path of a folder that downloads may go to. Where the host has its own dialog, only folders that a
   * person chose there, in the settings file or by taking the suggestion.
   * @throws AppError `transfer.destination-missing`, `transfer.destination-not-writable`
   */
  checkDestination(path: string): Promise<string>;
}

/** Builds the access to folders of one host. */
export function createFolderAccess({
  ports,
  settings,
}: {
  ports: Ports;
  settings: SettingsHolder;
}): FolderAccess {
  const suggestedPath = (): string => settings.current.destination ?? ports.downloadsDir;
  const chosen = new Set([ports.downloadsDir, suggestedPath()]);
  const hasDialog = ports.desktop.chooseFolder !== undefined;

  return {
    suggested: () => describeFolder(suggestedPath()),

    async choose(startAt) {
      if (!ports.desktop.chooseFolder) throw unsupported('no folder dialog');
      const path = await ports.desktop.chooseFolder({
        startAt: startAt && isAbsolute(startAt) ? startAt : null,
      });
      if (path === null) return null;
      chosen.add(path);
      return describeFolder(path);
    },

    async list(path) {
      if (hasDialog) throw unsupported('folders are chosen in the system dialog');
      const folder = await toRealFolder(path ?? ports.homeDir);
      const parent = dirname(folder);
      return {
        folder: await describeFolder(folder),
        parent: parent === folder ? null : parent,
        children: await listVisibleFolders(folder),
      };
    },

    async create(parent, name) {
      if (hasDialog) throw unsupported('folders are made in the system dialog');
      const path = join(await toRealFolder(parent), checkFolderName(name));
      await mkdir(path).catch((thrown: unknown) => {
        if (codeOf(thrown) !== 'EEXIST') throw notWritable(parent, thrown);
      });
      return describeFolder(await toRealFolder(path));
    },

    async checkDestination(path) {
      if (hasDialog && !chosen.has(path)) throw notWritable(path, 'it was not chosen in the dialog');
      // The system's folder for downloads is only suggested: on a new account it isn't there yet.
      if (path === ports.downloadsDir) await mkdir(path, { recursive: true }).catch(() => undefined);
      const folder = await toRealFolder(path);
      await access(folder, constants.W_OK | constants.X_OK).catch((thrown: unknown) => {
        throw notWritable(path, thrown);
      });
      return folder;
    },
  };
}

async function toRealFolder(path: string): Promise<string> {
  if (!isAbsolute(path) || path.includes('\0')) throw missing(path);
  const folder = await realpath(path).catch(() => null);
  const stats = folder === null ? null : await stat(folder).catch(() => null);
  if (folder === null || !stats?.isDirectory()) throw missing(path);
  return folder;
}

async function describeFolder(path: string): Promise<Folder> {
  return { path, freeBytes: await measureFreeBytes(path) };
}

// A folder that isn't there yet will be on the volume of its nearest ancestor.
async function measureFreeBytes(path: string): Promise<number | null> {
  const stats = await statfs(path).catch(() => null);
  if (stats) return Math.min(stats.bavail * stats.bsize, Number.MAX_SAFE_INTEGER);
  const parent = dirname(path);
  return parent === path ? null : measureFreeBytes(parent);
}

async function listVisibleFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((thrown: unknown) => {
    throw missing(folder, thrown);
  });
  const names = await Promise.all(
    entries
      .filter(({ name }) => !name.startsWith('.'))
      .map(async (entry) => ((await isFolder(join(folder, entry.name), entry)) ? entry.name : null)),
  );
  return names.filter((name) => name !== null).sort((a, b) => a.localeCompare(b));
}

async function isFolder(
  path: string,
  entry: { isDirectory(): boolean; isSymbolicLink(): boolean },
): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  const target = await stat(path).catch(() => null);
  return target?.isDirectory() ?? false;
}

function missing(path: string, cause?: unknown): AppError {
  return new AppError('transfer.destination-missing', `There is no folder ${path}`, {
    details: { path },
    cause,
  });
}

function notWritable(path: string, cause: unknown): AppError {
  return new AppError('transfer.destination-not-writable', `Nothing can be written to ${path}`, {
    details: { path },
    cause,
  });
}

function unsupported(why: string): AppError {
  return new AppError('host.unsupported', `This host can't do that: ${why}`);
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
}
