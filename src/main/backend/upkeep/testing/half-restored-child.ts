import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openStorageDesk } from './storage-desk.ts';

// Restores all of a backup whose first library is not open here, and is killed once that one is in its place. The other
// one can't be exchanged: it is being written to without end.
const [dataDir = '', folder = ''] = process.argv.slice(2);
const { keeper, storage } = openStorageDesk(dataDir);
void keeper.library.together(() => new Promise(() => undefined));
void storage.run({ kind: 'restore', folder, connectionIds: null, withNotebook: true });
const copies = ['desk', 'shelf'].map((id) => join(dataDir, `library-${id}.sqlite.restoring`));
let wasThere = false;
setInterval(() => {
  const [isDeskThere, isShelfThere] = copies.map((path) => existsSync(path));
  wasThere ||= isDeskThere === true && isShelfThere === true;
  if (wasThere && !isShelfThere) process.kill(process.pid, 'SIGKILL');
}, 1);
