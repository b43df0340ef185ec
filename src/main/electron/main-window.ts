import { join } from 'node:path';
import { BrowserWindow, dialog, shell } from 'electron';
import type { Backend } from '../backend/backend.ts';
import type { Logger } from '../backend/ports.ts';
import { findAppRoot } from '../host/app-root.ts';
import { appUrl } from './app-url.ts';
import { guardContents } from './guard-window.ts';
import { servePipe } from './pipe.ts';
import { openExternal } from './open-external.ts';
import { createWindowOptions } from './window-options.ts';

/** A window that keeps crashing is left alone after this many reloads within ten minutes. */
const maxReloads = 3;
const reloadsMs = 10 * 60_000;

/** Opens the window on its page and connects it to the backend. */
export function openMainWindow({ backend, logger }: { backend: Backend; logger: Logger }): BrowserWindow {
  const window = new BrowserWindow(createWindowOptions(join(findAppRoot(), 'out', 'preload', 'index.cjs')));
  const fail = (event: string) => (thrown: unknown) =>
    logger.error(event, { message: thrown instanceof Error ? thrown.message : String(thrown) });
  guardContents(window.webContents, {
    openExternal: (url) => void openExternal(url, { window, dialog, shell }).catch(fail('link not opened')),
  });
  servePipe(window, backend.router);
  let reloadCount = 0;
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    logger.error('window crashed', { reason, exitCode });
    if (reason === 'clean-exit' || reloadCount >= maxReloads) return;
    reloadCount += 1;
    setTimeout(() => (reloadCount -= 1), reloadsMs).unref();
    window.webContents.reload();
  });
  window.once('ready-to-show', () => window.show());
  window.loadURL(appUrl).catch(fail('window not loaded'));
  return window;
}
