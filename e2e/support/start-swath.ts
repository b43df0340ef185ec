import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A running browser shell with a home of its own. */
export interface RunningSwath {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** The session, as Playwright takes it: a token works only once, a cookie for every test. */
  cookie: { name: string; value: string; domain: string; path: string };
  /** The user's home; downloads go to `Downloads` in it unless the test chooses otherwise. */
  homeDir: string;
  dataDir: string;
  stop(): Promise<void>;
}

interface StartOptions {
  /** Items of the demo catalog: few, so that it is there at once. */
  demoItems?: number;
  /** Another catalog instead of the demo catalog. */
  baseUrl?: string;
  token?: string;
}

/** Starts the built browser shell in an empty home. */
export async function startSwath(options: StartOptions = {}): Promise<RunningSwath> {
  const root = mkdtempSync(join(tmpdir(), 'swath-e2e-'));
  const homeDir = join(root, 'home');
  const dataDir = join(root, 'data');
  mkdirSync(homeDir);
  const args = ['--data-dir', dataDir, '--port', '0', '--demo-items', String(options.demoItems ?? 600)];
  if (options.baseUrl !== undefined) args.push('--base-url', options.baseUrl);
  const child = spawn(process.execPath, [join('out', 'main', 'cli.js'), 'browser', ...args], {
    env: { ...process.env, HOME: homeDir, USERPROFILE: homeDir, SWATH_TOKEN: options.token ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit').then(refuse)])) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return {
    origin: new URL(url).origin,
    cookie: await signIn(url),
    homeDir,
    dataDir,
    stop: async () => {
      if (child.exitCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function refuse(): never {
  throw new Error('The browser shell ended before it was ready');
}

async function signIn(url: string): Promise<RunningSwath['cookie']> {
  const answer = await fetch(url, { redirect: 'manual' });
  const [pair = ''] = (answer.headers.getSetCookie()[0] ?? '').split(';');
  const [name = '', value = ''] = pair.split('=');
  return { name, value, domain: '127.0.0.1', path: '/' };
}
