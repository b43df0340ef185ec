import Store from 'electron-store';
import type { SettingsStore } from '../backend/ports.ts';

/** Settings in `<dataDir>/settings.json`; the same file and form as without Electron. */
export function createElectronStore(dataDir: string): SettingsStore {
  const store = new Store({ cwd: dataDir, name: 'settings', clearInvalidConfig: true });
  return {
    read: () => store.store,
    write: (settings) => {
      store.store = { ...settings };
    },
  };
}
