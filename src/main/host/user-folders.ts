import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import envPaths from 'env-paths';

/** Folders of the user that the backend works in. */
export interface UserFolders {
  /** Library, demo catalog, settings and log; the same for the window, the browser and the command line. */
  dataDir: string;
  homeDir: string;
  /** The system's folder for downloads; may not exist yet. */
  downloadsDir: string;
}

/** The user's folders. `dataDir` overrides the platform's; it may be relative to the working directory. */
export function findUserFolders(options: { dataDir?: string | undefined } = {}): UserFolders {
  const homeDir = homedir();
  return {
    dataDir: options.dataDir ? resolve(options.dataDir) : envPaths('swath', { suffix: '' }).data,
    homeDir,
    downloadsDir: readXdgDownloadDir(homeDir) ?? join(homeDir, 'Downloads'),
  };
}

// Desktops in other languages name the folder otherwise; the file is the XDG user-dirs specification's.
function readXdgDownloadDir(homeDir: string): string | null {
  if (process.platform !== 'linux') return null;
  const configDir = process.env['XDG_CONFIG_HOME'] || join(homeDir, '.config');
  const file = join(configDir, 'user-dirs.dirs');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const value = /^XDG_DOWNLOAD_DIR="(.*)"$/m.exec(text)?.[1]?.replace(/^\$HOME(?=\/|$)/, homeDir);
  // A folder set to the home itself means "none" (user-dirs.dirs(5)).
  return value && isAbsolute(value) && value.replace(/\/$/, '') !== homeDir ? value : null;
}
