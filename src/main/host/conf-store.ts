import { mkdirSync } from 'node:fs';
import Conf from 'conf';
import { AppError } from '#shared/errors/app-error.ts';
import type { SettingsStore } from '../backend/ports.ts';

/**
 * Settings in `<dataDir>/settings.json`, for hosts without Electron. Same file and form as `electron-store` writes.
 * @throws AppError `library.read-only` where the folder isn't there and can't be made
 */
export function createConfStore(dataDir: string): SettingsStore {
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (cause) {
    const code = String((cause as NodeJS.ErrnoException).code);
    throw new AppError('library.read-only', `The data folder ${dataDir} can't be made (${code})`, {
      details: { file: dataDir, mend: 'Name one that can be written to with --data-dir.' },
      cause,
    });
  }
  // A file that is no JSON any more starts afresh rather than keeping the program from starting.
  const conf = new Conf({ cwd: dataDir, configName: 'settings', clearInvalidConfig: true });
  return {
    read: () => conf.store,
    write: (settings) => {
      conf.store = { ...settings };
    },
  };
}
