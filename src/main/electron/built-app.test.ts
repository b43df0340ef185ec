import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClient } from '#shared/rpc/client.ts';
import { contract } from '#shared/rpc/contract.ts';
import type { Client } from '#shared/rpc/define-contract.ts';
import type { Pipe } from '#shared/rpc/pipe.ts';
import { eventually } from '#shared/testing/eventually.ts';
import { loadAfresh, loadStandIn } from './testing/load-stand-in.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const mainPath = join(root, 'out', 'main', 'index.js');
const preloadPath = join(root, 'out', 'preload', 'index.cjs');
const isBuilt = existsSync(mainPath) && existsSync(preloadPath);

// The built entry as Electron would run it, in order: one start, one window, one end.
describe.skipIf(!isBuilt)('the built Electron app (skipped until `npm run build`)', () => {
  const electron = loadStandIn();
  const { record } = electron;
  const args = process.argv;
  let dataDir: string;
  let client: Client<typeof contract>;

  const theWindow = () => {
    const [window] = record.windows;
    if (!window) throw new Error('There is no window');
    return window;
  };
  const request = async (url: string, init?: RequestInit) => {
    const handler = record.protocolHandlers.get('app');
    if (!handler) throw new Error('app:// is not handled');
    return handler(new Request(url, init));
  };

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'swath-electron-'));
    record.paths.set('downloads', join(dataDir, 'Downloads'));
    process.argv = ['electron', root, '--data-dir', dataDir, '--demo-items', '60'];
    loadAfresh(mainPath);
    await eventually(() => expect(theWindow().isShown).toBe(true));
    loadAfresh(preloadPath);
    client = createClient(contract, record.mainWorld['swathPipe'] as Pipe, { isValidating: true });
  });
  afterAll(() => {
    process.argv = args;
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('keeps its files in the data folder, and Chromium its own below it', () => {
    expect(record.paths.get('userData')).toBe(dataDir);
    expect(record.paths.get('sessionData')).toBe(join(dataDir, 'window'));
  });

  it('opens its window sandboxed, isolated and without Node', () => {
    expect(record.isSandboxEnabled).toBe(true);
    expect(theWindow().loadedUrl).toBe('app://bundle/');
    expect(theWindow().options.webPreferences).toMatchObject({
      preload: preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
    });
  });

  it('has one scheme of its own, which does not get around the policy', () => {
    expect(record.privilegedSchemes).toEqual([
      {
        scheme: 'app',
        privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
      },
    ]);
  });

  it('serves the window with a policy that lets in nothing foreign', async () => {
    for (const url of ['app://bundle/', 'app://bundle/index.html']) {
      const answer = await request(url);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await answer.text()).toContain('<div id="app">');
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("connect-src 'self'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('serves every file that the document names', async () => {
    const html = readFileSync(join(root, 'out', 'renderer', 'index.html'), 'utf8');
    const names = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      const answer = await request(`app://bundle/${name}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/javascript|css|svg/),
      ]);
    }
  });

  it.each([
    'app://bundle/../package.json',
    'app://bundle/..%2fmain/index.js',
    'app://bundle/%2e%2e%2f%2e%2e%2fpackage.json',
    'app://bundle/assets/..%2f..%2f..%2fpackage.json',
    'app://bundle/..%5cmain%5cindex.js',
    'app://bundle//etc/passwd',
    'app://bundle/%2fetc%2fpasswd',
    'app://bundle/index.html%00.png',
    'app://bundle/%',
    'app://bundle/assets',
    'app://elsewhere/index.html',
    'app://user@bundle/index.html',
  ])('gives nothing for %s', async (url) => {
    // The Request class itself refuses a URL with a user name.
    const answer = await request(url).catch(() => null);
    expect(answer?.status ?? 403).toBeGreaterThanOrEqual(403);
    expect((await answer?.text()) ?? '').toBe('');
  });

  it('takes no other method than GET', async () => {
    expect((await request('app://bundle/', { method: 'POST', body: 'x' })).status).toBe(405);
  });

  it('answers the contract through the real preload, and nothing but texts cross', async () => {
    expect(Object.keys(record.mainWorld)).toEqual(['swathPipe']);
    expect(Object.keys(record.mainWorld['swathPipe'] as object)).toEqual([
      'send',
      'onMessage',
      'onClose',
      'close',
    ]);
    expect(await client.app.info({})).toEqual({
      version: '0.0.0-stand-in',
      host: 'electron',
      hasFolderDialog: true,
      canShowFiles: true,
      canOpenFiles: true,
    });
    const { collections } = await client.catalog.collections({});
    expect(collections.map(({ id }) => id)).toContain('sentinel-2-l2a');
  });

  it('shows pictures from its own origin', async () => {
    const { rows } = await client.search.run({ query: { collections: ['sentinel-2-l2a'], limit: 1 } });
    const { collectionId = '', itemId = '' } = rows[0] ?? {};
    const answer = await request(`app://bundle/_thumb/demo/${collectionId}/${encodeURIComponent(itemId)}`);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await request('app://bundle/_thumb/demo/a/b')).status).toBe(404);
  });

  it("asks the system's dialog for a folder", async () => {
    expect(await client.folders.choose({ startAt: null })).toBeNull();
    record.nextFolder = dataDir;
    expect(await client.folders.choose({ startAt: '/home' })).toMatchObject({ path: dataDir });
  });

  it('ignores messages from other frames', async () => {
    const received = vi.fn();
    electron.ipcRenderer.on('swath:to-window', (_event, text: unknown) => void received(text));
    const message = JSON.stringify({ type: 'request', id: 4711, path: 'app.info', input: {} });
    for (const frame of [{ url: 'app://bundle/' }, { url: 'https://evil.example/' }, null]) {
      electron.sendFrom(frame, 'swath:to-backend', [message]);
    }
    // A call of our own afterwards: messages keep their order, so an answer to the others would be here by then.
    await client.app.info({});
    expect(received.mock.calls.flat().join()).not.toContain('4711');
  });

  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])('stays on its own page: %s', (name) => {
    const ask = (url: string) => {
      const event = { ...electron.createEvent(), url };
      theWindow().webContents.emit(name, event);
      return event.defaultPrevented;
    };
    for (const url of [
      'https://evil.example/',
      'file:///etc/passwd',
      'app://evil/',
      'data:text/html,x',
      'about:blank',
    ]) {
      expect(ask(url), url).toBe(true);
    }
    expect(ask('app://bundle/')).toBe(false);
  });

  it('attaches no webview', () => {
    const event = electron.createEvent();
    theWindow().webContents.emit('will-attach-webview', event);
    expect(event.defaultPrevented).toBe(true);
  });

  it('opens no windows; web pages go to the browser, after asking', async () => {
    const open = (url: string) =>
      theWindow().webContents.openHandler?.({ url } as Parameters<
        NonNullable<ReturnType<typeof theWindow>['webContents']['openHandler']>
      >[0]);
    for (const url of [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'ms-msdt:x',
      'http://a.example/',
      'https://a@b.example/',
    ]) {
      expect(open(url)).toEqual({ action: 'deny' });
    }
    expect(record.askedQuestions).toEqual([]);

    record.nextButton = 1;
    expect(open('https://docs.example/page')).toEqual({ action: 'deny' });
    await eventually(() => expect(record.askedQuestions).toHaveLength(1));
    expect(record.askedQuestions[0]?.message).toContain('docs.example');
    record.nextButton = 0;
    open('https://docs.example/page');
    await eventually(() => expect(record.openedUrls).toEqual(['https://docs.example/page']));
  });

  it('grants nothing but copying text', () => {
    const { permissionRequest, permissionCheck, devicePermission } = record.session;
    const ask = (permission: string, requestingUrl: string) => {
      const granted = vi.fn();
      // Electron's own types want whole objects of it, which only it can make.
      const request = permissionRequest as unknown as (...args: unknown[]) => void;
      request(null, permission, granted, { requestingUrl });
      const check = permissionCheck as unknown as (...args: unknown[]) => boolean;
      return [granted.mock.calls[0]?.[0] as boolean, check(null, permission, requestingUrl)];
    };
    for (const permission of [
      'geolocation',
      'media',
      'notifications',
      'clipboard-read',
      'openExternal',
      'midi',
    ]) {
      expect(ask(permission, 'app://bundle/'), permission).toEqual([false, false]);
    }
    expect(ask('clipboard-sanitized-write', 'app://bundle/')).toEqual([true, true]);
    expect(ask('clipboard-sanitized-write', 'https://evil.example/')).toEqual([false, false]);
    expect(devicePermission?.({} as never)).toBe(false);
  });

  it('saves a text that the page made, and no file of others', () => {
    const isStopped = (url: string) => {
      const preventDefault = vi.fn();
      electron.session.defaultSession.emit('will-download', { preventDefault }, { getURL: () => url });
      return preventDefault.mock.calls.length > 0;
    };
    expect(isStopped('blob:app://bundle/0f8fad5b-d9cb-469f-a165-70867728950e')).toBe(false);
    for (const url of ['https://a.example/setup.exe', 'blob:https://a.example/1', 'data:text/plain,x'])
      expect(isStopped(url), url).toBe(true);
  });

  it('lets the page load nothing from the network or the disk', () => {
    const isCancelled = (url: string) => {
      const answer = vi.fn();
      record.session.beforeRequest?.({ url }, answer);
      return (answer.mock.calls[0]?.[0] as { cancel: boolean }).cancel;
    };
    for (const url of [
      'https://a.example/',
      'http://127.0.0.1/',
      'ws://a.example/',
      'file:///etc/passwd',
      'app://other/',
    ]) {
      expect(isCancelled(url), url).toBe(true);
    }
    for (const url of ['app://bundle/assets/x.js', 'data:image/gif;base64,', 'blob:app://bundle/1']) {
      expect(isCancelled(url), url).toBe(false);
    }
  });

  it('comes to the front when it is started again', () => {
    theWindow().isShown = false;
    electron.app.emit('second-instance');
    expect(record.windows).toHaveLength(1);
    expect(theWindow().isShown).toBe(true);
  });

  it('ends cleanly: calls end, files are closed, status 0', async () => {
    electron.app.quit();
    await eventually(() => expect(record.exitCodes).toEqual([0]));
    expect(existsSync(join(dataDir, 'library-demo.sqlite'))).toBe(true);
    // SQLite takes its log away when the last connection is closed.
    expect(existsSync(join(dataDir, 'library-demo.sqlite-wal'))).toBe(false);
  });
});
