import Conf from 'conf';
import type { SettingsStore } from '../backend/ports.ts';
import { makeDataFolder } from './make-data-folder.ts';

/**
 * Settings in `<dataDir>/settings.json`, for hosts without Electron. Same file and form as `electron-store` writes.
 * @throws AppError `library.read-only` where the folder isn't there and can't be made
 */
export function createConfStore(dataDir: string): SettingsStore {
  makeDataFolder(dataDir);
  // A file that is no JSON any more starts afresh rather than keeping the program from starting.
  const conf = new Conf({ cwd: dataDir, configName: 'settings', clearInvalidConfig: true });
  return {
    read: () => conf.store,
    write: (settings) => {
      conf.store = { ...settings };
    },
  };
}
