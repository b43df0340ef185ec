import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram, type RunningProgram } from './start-program.ts';

/** A running browser shell with a home of its own. */
export interface RunningSwath extends Omit<RunningProgram<unknown>, 'greeting'> {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** The session, as Playwright takes it: a token works only once, a cookie for every test. */
  cookie: { name: string; value: string; domain: string; path: string };
  /** The user's home; downloads go to `Downloads` in it unless the test chooses otherwise. */
  homeDir: string;
  dataDir: string;
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
  const args = ['browser', '--data-dir', dataDir, '--demo-items', String(options.demoItems ?? 600)];
  if (options.baseUrl !== undefined) args.push('--base-url', options.baseUrl);
  const env = { HOME: homeDir, USERPROFILE: homeDir, SWATH_TOKEN: options.token ?? '' };
  const { greeting, stop, ...signals } = await startProgram<{ url: string }>(args, env);
  return {
    origin: new URL(greeting.url).origin,
    cookie: await signIn(greeting.url),
    homeDir,
    dataDir,
    ...signals,
    stop: async () => {
      await stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function signIn(url: string): Promise<RunningSwath['cookie']> {
  const answer = await fetch(url, { redirect: 'manual' });
  const [pair = ''] = (answer.headers.getSetCookie()[0] ?? '').split(';');
  const [name = '', value = ''] = pair.split('=');
  return { name, value, domain: '127.0.0.1', path: '/' };
}
