import { silentLogger, systemClock } from '../../ports.ts';
import { openCommandStorage, type CommandStorage } from '../open-command-storage.ts';

/** The care of the libraries of a folder, as a command has it. */
export function openStorage(dataDir: string, { isAlone = true } = {}): CommandStorage {
  return openCommandStorage({
    dataDir,
    settings: { read: () => ({}), write: () => undefined },
    isAlone,
    appVersion: '9.9.9',
    clock: systemClock,
    logger: silentLogger,
  });
}
