import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  app,
  type BrowserWindow,
  dialog,
  Menu,
  net,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  session,
  shell,
  Tray,
} from 'electron';
import { createBackend, openLog, type Backend } from '../backend/backend.ts';
import { systemClock, type Logger } from '../backend/ports.ts';
import { findAppRoot, findRendererDir } from '../host/app-root.ts';
import { logCrashes } from '../host/log-crashes.ts';
import { readConnection } from '../host/read-connection.ts';
import { serveCommands, type CommandService } from '../host/owner/serve-commands.ts';
import { createHostSystem } from '../host/system-port.ts';
import type { UserFolders } from '../host/user-folders.ts';
import { appScheme } from './app-url.ts';
import { createAttentionPort } from './attention-port.ts';
import { createBackgroundRun, type BackgroundRun } from './background-run.ts';
import { createDesktopPort } from './desktop-port.ts';
import { createElectronStore } from './electron-settings.ts';
import { guardSession } from './guard-window.ts';
import { createKeychainSecrets } from './keychain-secrets.ts';
import { openMainWindow } from './main-window.ts';
import { createMenuTemplate } from './menu-template.ts';
import { serveAppRequest } from './serve-app-request.ts';
import { createElectronSystem } from './system-port.ts';

// No fuse covers these switches, which hand the window to any program of this user.
const steeringSwitches = ['remote-debugging-port', 'remote-debugging-pipe'];

interface ElectronShellOptions {
  folders: UserFolders;
  catalog: { connection?: string; baseUrl?: string; demoItems?: number };
}

/**
 * What has to be said before Electron is ready. False: this process has to end, because another Swath has this data
 * folder (and was called to the front) or because somebody wants to steer the window.
 */
export function prepareElectron({ dataDir }: UserFolders): boolean {
  mkdirSync(dataDir, { recursive: true });
  // Before the lock, which is for each of these folders. Chromium's own files stay in one folder of their own.
  app.setPath('userData', dataDir);
  app.setPath('sessionData', join(dataDir, 'window'));
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
    },
  ]);
  const isSteered = app.isPackaged && steeringSwitches.some((name) => app.commandLine.hasSwitch(name));
  return !isSteered && app.requestSingleInstanceLock();
}

/** Builds the backend, opens the window and stays until the program is ended. Call when Electron is ready. */
export function runElectronShell(options: ElectronShellOptions): void {
  const isDevelopment = !app.isPackaged;
  const logger = openLog(join(options.folders.dataDir, 'swath.log'), { clock: systemClock });
  logCrashes(logger);
  let window: BrowserWindow | null = null;
  const show = (): void => {
    if (window?.isMinimized()) window.restore();
    if (window) window.focus();
    else open();
  };
  const isMac = process.platform === 'darwin';
  const background = createBackgroundRun({ app, dialog, isMac });
  const backend = createElectronBackend(options, {
    logger,
    background,
    currentWindow: () => window,
    showWindow: show,
  });
  const open = (): void => {
    window = openMainWindow({ backend, logger });
    background.guard(window);
    window.once('closed', () => {
      window = null;
    });
  };

  const rendererDir = findRendererDir();
  protocol.handle(appScheme, (request) => serveAppRequest(request, { rendererDir, backend }));
  guardSession(session.defaultSession, { isDevelopment });
  Menu.setApplicationMenu(Menu.buildFromTemplate(createMenuTemplate({ isMac, isDevelopment })));
  app.on('second-instance', show);
  app.on('activate', () => {
    if (!window) open();
  });
  const { dataDir } = options.folders;
  const commands = serveCommands({ dataDir, router: backend.commandRouter, logger });
  closeBeforeQuit({ backend, commands, logger });
  open();
}

function createElectronBackend(
  { folders, catalog }: ElectronShellOptions,
  parts: {
    logger: Logger;
    background: BackgroundRun;
    currentWindow: () => BrowserWindow | null;
    showWindow: () => void;
  },
): Backend {
  const { logger } = parts;
  const icon = process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png';
  return createBackend({
    connection: readConnection(catalog, process.env),
    ports: {
      host: 'electron',
      appVersion: app.getVersion(),
      ...folders,
      settings: createElectronStore(folders.dataDir),
      secrets: createKeychainSecrets({
        safeStorage,
        filePath: join(folders.dataDir, 'secrets.json'),
        platform: process.platform,
        logger,
      }),
      env: process.env,
      desktop: {
        ...createDesktopPort({ dialog, shell, session, ...parts }),
        attention: parts.background.follow(
          createAttentionPort({
            app,
            Notification,
            Tray,
            Menu,
            iconPath: join(findAppRoot(), 'build', icon),
            ...parts,
          }),
        ),
      },
      system: createElectronSystem({
        powerMonitor,
        powerSaveBlocker,
        net,
        host: createHostSystem({ platform: process.platform }),
      }),
      clock: systemClock,
      logger,
    },
  });
}

// Transfers are brought to a point from which they can go on before the process ends.
function closeBeforeQuit({
  backend,
  commands,
  logger,
}: {
  backend: Backend;
  commands: Promise<CommandService>;
  logger: Logger;
}): void {
  let isClosing = false;
  app.on('will-quit', (event) => {
    if (isClosing) return;
    isClosing = true;
    event.preventDefault();
    commands
      .then((service) => service.close())
      .then(() => backend.close())
      .catch((thrown: unknown) => logger.error('not closed cleanly', { message: String(thrown) }))
      .finally(() => app.exit(0));
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
}
