import { join } from 'node:path';
import { createBackend, openLog } from '../backend/backend.ts';
import { systemClock, type Ports } from '../backend/ports.ts';
import { appVersion } from '../host/app-version.ts';
import { logCrashes } from '../host/log-crashes.ts';
import { findRendererDir } from '../host/app-root.ts';
import { createConfStore } from '../host/conf-store.ts';
import { serveCommands } from '../host/owner/serve-commands.ts';
import { createHostSystem } from '../host/system-port.ts';
import { findUserFolders } from '../host/user-folders.ts';
import { startBrowserServer, type BrowserServer } from './browser-server.ts';

interface BrowserShellOptions {
  dataDir?: string | undefined;
  /** 0 means any free one. */
  port: number;
  /** Called with the first address, and with a new one each time an address was used. */
  announce: (url: string) => void;
  connection: Parameters<typeof createBackend>[0]['connection'];
}

/** A running browser shell. */
export type BrowserShell = Pick<BrowserServer, 'close'>;

/** Builds the backend and serves its window on 127.0.0.1. */
export async function runBrowserShell(options: BrowserShellOptions): Promise<BrowserShell> {
  const { port, announce } = options;
  const ports = createPorts(options.dataDir);
  logCrashes(ports.logger);
  const backend = createBackend({ ports, connection: options.connection });
  const commands = await serveCommands({ ...ports, router: backend.commandRouter });
  try {
    const server = await startBrowserServer({ backend, rendererDir: findRendererDir(), port, announce });
    return {
      close: async () => {
        await commands.close();
        await server.close();
        await backend.close();
      },
    };
  } catch (thrown) {
    await commands.close();
    await backend.close();
    throw thrown;
  }
}

function createPorts(dataDir: string | undefined): Ports {
  const folders = findUserFolders({ dataDir });
  return {
    host: 'browser',
    appVersion,
    ...folders,
    settings: createConfStore(folders.dataDir),
    env: process.env,
    // The browser has no folder dialog that gives a path, and this side may have no screen.
    desktop: {},
    system: createHostSystem({ platform: process.platform }),
    clock: systemClock,
    logger: openLog(join(folders.dataDir, 'swath.log'), { clock: systemClock }),
  };
}
