import { silentLogger, systemClock, type Ports } from '../ports.ts';

/** The ports of a browser shell that has one folder for everything and keeps no settings. */
export function makePorts(folder: string, change: Partial<Ports> = {}): Ports {
  return {
    host: 'browser',
    appVersion: '1.2.3',
    dataDir: folder,
    homeDir: folder,
    downloadsDir: folder,
    settings: { read: () => ({}), write: () => undefined },
    desktop: {},
    clock: systemClock,
    logger: silentLogger,
    ...change,
  };
}
