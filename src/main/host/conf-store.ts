import Conf from 'conf';
import type { SettingsStore } from '../backend/ports.ts';

/** Settings in `<dataDir>/settings.json`, for hosts without Electron. Same file and form as `electron-store` writes. */
export function createConfStore(dataDir: string): SettingsStore {
  // A file that is no JSON any more starts afresh rather than keeping the program from starting.
  const conf = new Conf({ cwd: dataDir, configName: 'settings', clearInvalidConfig: true });
  return {
    read: () => conf.store,
    write: (settings) => {
      conf.store = { ...settings };
    },
  };
}
