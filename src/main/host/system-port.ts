import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SystemPort } from '../backend/ports.ts';

const powerFolder = '/sys/class/power_supply';
const meteredKeptMs = 30_000;

// Each ends with this process, however that ends: its standard input closes then.
const wakeKeepers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  linux: [
    'systemd-inhibit',
    '--what=idle:sleep',
    '--who=Swath',
    '--why=Files are being downloaded',
    '--mode=block',
    'cat',
  ],
  darwin: ['caffeinate', '-i', 'cat'],
};

const networkManager = 'org.freedesktop.NetworkManager';
const meteredQuestion = [
  'busctl',
  '--system',
  'get-property',
  networkManager,
  '/org/freedesktop/NetworkManager',
  networkManager,
  'Metered',
] as const;

/** Power and network as far as the system tells without a desktop: nothing at all on most, and no events. */
export function createHostSystem(options: { platform: NodeJS.Platform; powerFolder?: string }): SystemPort {
  const { platform } = options;
  let keeper: ChildProcess | null = null;
  let metered: { atMs: number; isMetered: Promise<boolean | null> } | null = null;

  function isMetered(): Promise<boolean | null> {
    if (platform !== 'linux') return Promise.resolve(null);
    const nowMs = performance.now();
    if (metered === null || nowMs - metered.atMs > meteredKeptMs) {
      metered = { atMs: nowMs, isMetered: askNetworkManager() };
    }
    return metered.isMetered;
  }

  return {
    async read() {
      const folder = options.powerFolder ?? powerFolder;
      return {
        isOnBattery: platform === 'linux' ? await readPowerSupplies(folder) : null,
        isMetered: await isMetered(),
      };
    },
    onEvent: () => () => undefined,
    keepAwake(isOn) {
      const command = wakeKeepers[platform];
      if (!isOn) {
        keeper?.stdin?.end();
        keeper = null;
      } else if (keeper === null && command !== undefined) {
        const [program, ...parameters] = command;
        keeper = spawn(program, parameters, { stdio: ['pipe', 'ignore', 'ignore'] });
        // A computer without the program sleeps when it likes.
        keeper.on('error', () => undefined);
        keeper.stdin?.on('error', () => undefined);
        keeper.unref();
      }
    },
  };
}

/** Whether a computer runs on battery by Linux' list of power supplies; null when it has none that says so. */
export async function readPowerSupplies(folder: string): Promise<boolean | null> {
  const names = await readdir(folder).catch(() => []);
  const supplies = await Promise.all(
    names.map(async (name) => ({
      type: await readLine(join(folder, name, 'type')),
      scope: await readLine(join(folder, name, 'scope')),
      isOnline: (await readLine(join(folder, name, 'online'))) === '1',
      status: await readLine(join(folder, name, 'status')),
    })),
  );
  // A mouse has a battery, too.
  const own = supplies.filter(({ scope }) => scope !== 'Device');
  if (own.some(({ type, isOnline }) => type !== 'Battery' && isOnline)) return false;
  const batteries = own.filter(({ type }) => type === 'Battery');
  if (batteries.some(({ status }) => status === 'Discharging')) return true;
  return batteries.length > 0 ? false : null;
}

async function readLine(path: string): Promise<string | null> {
  return readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
}

// NetworkManager: 1 yes, 2 no, 3 and 4 guessed so; 0 and no answer: it doesn't know.
function askNetworkManager(): Promise<boolean | null> {
  const [program, ...parameters] = meteredQuestion;
  return new Promise((resolve) => {
    execFile(program, parameters, { timeout: 2000 }, (error, output) => {
      const value = error ? 0 : Number(/^u (\d)/.exec(output)?.[1] ?? 0);
      resolve(value === 0 ? null : value === 1 || value === 3);
    });
  });
}
