import type { StorageTask } from '#shared/storage/storage.ts';
import { silentLogger, systemClock } from '../../ports.ts';
import { openCommandStorage } from '../open-command-storage.ts';

// Does something with both libraries of a folder, and is killed once one has been copied and the other has been begun.
const [dataDir = '', task = ''] = process.argv.slice(2);
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
await storage.run(JSON.parse(task) as StorageTask);
