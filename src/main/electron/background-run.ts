import type { App, BrowserWindow, Dialog } from 'electron';
import type { AttentionPort } from '../backend/ports.ts';

interface BackgroundParts {
  app: Pick<App, 'quit'> & {
    on(event: 'before-quit' | 'window-all-closed', listener: () => void): unknown;
  };
  dialog: Pick<Dialog, 'showMessageBox'>;
  isMac: boolean;
}

/** Downloads that go on without a window. */
export interface BackgroundRun {
  /** An attention port that tells here as well what is to come. */
  follow(port: AttentionPort): AttentionPort;
  /** Asks before this window is closed while files are to come. */
  guard(window: BrowserWindow): void;
}

/**
 * Decides what closing the last window means. On a Mac the program stays, as every one does there. Elsewhere it ends,
 * unless files are on their way and the person wants them to go on: then it ends by itself once none are left.
 */
export function createBackgroundRun({ app, dialog, isMac }: BackgroundParts): BackgroundRun {
  /** What is on its way, in words; null where nothing is, or all of it is paused. */
  let wayWords: string | null = null;
  let isKept = false;
  let isQuitting = false;
  app.on('before-quit', () => {
    isQuitting = true;
  });
  app.on('window-all-closed', () => {
    if (!isMac && !isKept) app.quit();
  });

  const endWhenDone = (): void => {
    if (isKept && wayWords === null) app.quit();
  };
  const ask = async (window: BrowserWindow, words: string): Promise<void> => {
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      message: `${words}. Keep downloading without the window?`,
      detail:
        'Swath then ends by itself when they are done; opening it again brings the window back. Quitting loses nothing: they go on when Swath is opened again.',
      buttons: ['Keep downloading', 'Quit', 'Cancel'],
      defaultId: 0,
      cancelId: 2,
      noLink: true,
    });
    if (response === 1) app.quit();
    if (response !== 0) return;
    isKept = true;
    window.destroy();
    endWhenDone();
  };

  return {
    follow: (port) => ({
      ...port,
      showTray(entry) {
        port.showTray(entry);
        wayWords = entry?.act === 'pause-all' ? entry.words : null;
        endWhenDone();
      },
    }),
    guard(window) {
      isKept = false;
      let isAsking = false;
      window.on('close', (event) => {
        if (isMac || isQuitting || wayWords === null) return;
        event.preventDefault();
        if (isAsking) return;
        isAsking = true;
        void ask(window, wayWords).finally(() => {
          isAsking = false;
        });
      });
    },
  };
}
