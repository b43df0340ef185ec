import { silentLogger, systemClock } from '../../ports.ts';
import { openCommandStorage } from '../open-command-storage.ts';

// Restores all of a backup, and is killed once one library has been copied and another has been begun.
const [dataDir = '', folder = ''] = process.argv.slice(2);
const { storage } = openCommandStorage({
  dataDir,
  settings: { read: () => ({}), write: () => undefined },
  isAlone: true,
  appVersion: '9.9.9',
  clock: systemClock,
  logger: silentLogger,
});
storage.onChange(() => {
  if ((storage.running?.fraction ?? 0) > 0.5) process.kill(process.pid, 'SIGKILL');
});
await storage.run({ kind: 'restore', folder, connectionIds: null, withNotebook: true });
