import { _electron as electron, expect, test, type ElectronApplication, type Page } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findElectronObstacle } from '../support/electron-obstacle.ts';

// What only the runtime itself can show; everything else is tried in src/main/electron against a stand-in.
const obstacle = findElectronObstacle();

test.describe('in Electron', () => {
  test.skip(obstacle !== null, obstacle ?? '');

  let dataDir: string;
  let app: ElectronApplication;
  let window: Page;

  test.beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'swath-electron-'));
    app = await electron.launch({
      args: ['.', '--data-dir', dataDir, '--demo-items', '300'],
      chromiumSandbox: true,
    });
    window = await app.firstWindow();
  });
  test.afterAll(async () => {
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('the window shows the app from its own scheme', async () => {
    await expect(window).toHaveTitle(/Swath/);
    expect(window.url()).toMatch(/^app:\/\/bundle\//);
    await expect(window.locator('#app > *').first()).toBeVisible();
  });

  test('the page has no Node and no Electron, only the pipe', async () => {
    const found = await window.evaluate(() =>
      ['require', 'process', 'module', 'ipcRenderer', 'swathPipe'].filter((name) => name in globalThis),
    );
    expect(found).toEqual(['swathPipe']);
  });

  test('the page can load neither files nor the network, and runs no script of others', async () => {
    const outcome = await window.evaluate(async () => {
      const load = (url: string) =>
        fetch(url).then(
          () => 'loaded',
          () => 'refused',
        );
      const script = document.createElement('script');
      script.textContent = 'globalThis.injected = true';
      document.body.append(script);
      return [await load('file:///etc/passwd'), await load('https://example.com/'), 'injected' in globalThis];
    });
    expect(outcome).toEqual(['refused', 'refused', false]);
  });

  test('the page stays where it is and opens no windows', async () => {
    await window.evaluate(() => {
      location.href = 'https://example.com/';
    });
    await expect(window.waitForURL('https://example.com/', { timeout: 2000 })).rejects.toThrow(/Timeout/);
    expect(await window.evaluate(() => globalThis.open('file:///etc/passwd') === null)).toBe(true);
    expect(window.url()).toMatch(/^app:\/\/bundle\//);
    expect(app.windows()).toHaveLength(1);
  });

  test('the page is granted no permissions', async () => {
    const state = await window.evaluate(
      async () => (await navigator.permissions.query({ name: 'geolocation' })).state,
    );
    expect(state).toBe('denied');
  });
});
