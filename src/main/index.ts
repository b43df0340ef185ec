import { app, dialog } from 'electron';
import { prepareElectron, runElectronShell } from './electron/run-electron-shell.ts';
import { readArguments } from './electron/read-arguments.ts';
import { boundHeaps } from './host/bound-heaps.ts';
import { outliveFileLimit } from './host/outlive-file-limit.ts';
import { findUserFolders } from './host/user-folders.ts';

boundHeaps();
outliveFileLimit();
const { dataDir, ...catalog } = readArguments(process.argv.slice(1));
const folders = { ...findUserFolders({ dataDir }), downloadsDir: app.getPath('downloads') };

if (prepareElectron(folders)) {
  app
    .whenReady()
    .then(() => runElectronShell({ folders, catalog }))
    .catch((thrown: unknown) => {
      dialog.showErrorBox('Swath could not start', thrown instanceof Error ? thrown.message : String(thrown));
      app.exit(1);
    });
} else {
  app.exit(0);
}
