import type { BrowserWindow, Dialog, Session, Shell } from 'electron';
import type { DesktopPort } from '../backend/ports.ts';

/** The system's folder dialog, file manager and proxy settings. */
export function createDesktopPort(parts: {
  dialog: Dialog;
  shell: Shell;
  /** Asked when it is needed: there is no session before Electron is ready. */
  session: { readonly defaultSession: Pick<Session, 'resolveProxy'> };
  currentWindow(): BrowserWindow | null;
}): DesktopPort {
  return {
    async chooseFolder({ startAt }) {
      const window = parts.currentWindow();
      const options = {
        title: 'Folder for downloads',
        // Without it the dialog opens in the system's folder for downloads each time.
        ...(startAt === null ? {} : { defaultPath: startAt }),
        properties: ['openDirectory' as const, 'createDirectory' as const],
      };
      const answer = await (window
        ? parts.dialog.showOpenDialog(window, options)
        : parts.dialog.showOpenDialog(options));
      return answer.canceled ? null : (answer.filePaths[0] ?? null);
    },
    async chooseFile({ name, extensions }) {
      const window = parts.currentWindow();
      const options = { filters: [{ name, extensions }], properties: ['openFile' as const] };
      const answer = await (window
        ? parts.dialog.showOpenDialog(window, options)
        : parts.dialog.showOpenDialog(options));
      return answer.canceled ? null : (answer.filePaths[0] ?? null);
    },
    showFile(path) {
      parts.shell.showItemInFolder(path);
      return Promise.resolve();
    },
    async openFile(path) {
      const problem = await parts.shell.openPath(path);
      if (problem !== '') throw new Error(problem);
    },
    resolveProxy: (url) => parts.session.defaultSession.resolveProxy(url),
  };
}
