import { extractAll, extractFile, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { makeStandInElectron } from './stand-in-electron.ts';

const run = promisify(execFile);
const projectRoot = dirname(import.meta.dirname);
/** A fuse is one character in Electron's program. */
const fuseOn = '1'.charCodeAt(0);
const fuseOff = '0'.charCodeAt(0);
const isBuilt = existsSync(join(projectRoot, 'out', 'main', 'index.js'));

/** Packs what `npm run package -- --dir` packs, from the built app and a stand-in for Electron's folder. */
async function pack(work: string): Promise<string> {
  const electron = join(work, 'electron');
  const output = join(work, 'dist');
  await makeStandInElectron(electron);
  const builder = join(projectRoot, 'node_modules', 'electron-builder', 'cli.js');
  const config = ['--config', 'electron-builder.config.ts', `-c.directories.output=${output}`];
  await run(process.execPath, [builder, ...config, '--linux', '--dir', '--publish', 'never'], {
    cwd: projectRoot,
    env: { ...process.env, SWATH_ELECTRON_DIST: electron },
  });
  return join(output, 'linux-unpacked');
}

describe.runIf(process.platform === 'linux')('the package', () => {
  let work = '';
  let packed = '';
  let entries: string[] = [];
  const asar = (): string => join(packed, 'resources', 'app.asar');

  beforeAll(async () => {
    if (!isBuilt) throw new Error('out/ is missing: run `npm run build` first, as `npm test` does');
    work = await mkdtemp(join(tmpdir(), 'swath-package-'));
    packed = await pack(work);
    entries = listPackage(asar(), { isPack: false });
  }, 120_000);

  afterAll(async () => {
    await rm(work, { recursive: true, force: true });
  });

  it('holds the entries of all three ways in', () => {
    const built = [
      'main/index.js',
      'main/browser.js',
      'main/cli.js',
      'preload/index.cjs',
      'renderer/index.html',
    ];
    expect(entries).toEqual(expect.arrayContaining(built.map((file) => `/out/${file}`)));
  });

  it('holds no sources, no tests and nothing else of the project', () => {
    const folders = new Set(entries.map((entry) => entry.split('/')[1]));
    expect([...folders].sort()).toEqual(['LICENSE', 'build', 'node_modules', 'out', 'package.json']);
    // Of what installers are made of, only the pictures that the tray shows.
    const pictures = entries.filter((entry) => entry.startsWith('/build/'));
    expect(pictures.sort()).toEqual([
      '/build/tray.png',
      '/build/trayTemplate.png',
      '/build/trayTemplate@2x.png',
    ]);
    expect(entries.filter((entry) => /\.test\.|\.ts$|\.svelte$|\.map$|\/src(\/|$)/.test(entry))).toEqual([]);
  });

  it('holds one package beside the bundle, without what built it', () => {
    const packages = entries.filter((entry) => /^\/node_modules\/[^/]+$/.test(entry));
    expect(packages).toEqual(['/node_modules/better-sqlite3']);
    expect(entries.filter((entry) => /better-sqlite3\/(deps|src)\b/.test(entry))).toEqual([]);
    expect(entries.filter((entry) => /prebuilds\/(win32|darwin)/.test(entry))).toEqual([]);
  });

  it('holds the licences of the packages in the bundle', () => {
    const readNotices = (folder: string) =>
      extractFile(asar(), `out/${folder}/THIRD-PARTY-NOTICES.txt`).toString();
    expect(readNotices('main')).toMatch(/^fastify \d.*\(MIT\)\n\nMIT License\n/m);
    expect(readNotices('renderer')).toMatch(/^leaflet \d.*\(BSD-2-Clause\)\n\nBSD 2-Clause License\n/m);
    expect(readNotices('renderer')).toContain('SIL OPEN FONT LICENSE');
  });

  it("keeps SQLite's binary outside the archive, where it loads", () => {
    const unpacked = `${asar()}.unpacked`;
    const load = createRequire(join(unpacked, 'package.json'));
    const Database = load('better-sqlite3') as new (file: string) => {
      prepare(sql: string): { pluck(): { get(): unknown } };
    };
    expect(new Database(':memory:').prepare('SELECT 40 + 2').pluck().get()).toBe(42);
    expect(Object.keys(load.cache).some((file) => file.startsWith(unpacked) && file.endsWith('.node'))).toBe(
      true,
    );
  });

  it('runs with nothing but what it holds', async () => {
    const folder = join(work, 'extracted');
    extractAll(asar(), folder);
    const cli = join(folder, 'out', 'main', 'cli.js');
    expect(await readFile(cli, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    const { stdout } = await run(process.execPath, [cli, '--help'], { cwd: work });
    expect(stdout).toContain('swath');
  });

  it('has the fuses of a release', async () => {
    const wire = await getCurrentFuseWire(join(packed, 'swath'));
    const on = [
      FuseV1Options.EnableCookieEncryption,
      FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
      FuseV1Options.OnlyLoadAppFromAsar,
    ];
    const off = [
      FuseV1Options.RunAsNode,
      FuseV1Options.EnableNodeOptionsEnvironmentVariable,
      FuseV1Options.EnableNodeCliInspectArguments,
      FuseV1Options.LoadBrowserProcessSpecificV8Snapshot,
      FuseV1Options.GrantFileProtocolExtraPrivileges,
    ];
    for (const fuse of on) expect(wire[fuse], FuseV1Options[fuse]).toBe(fuseOn);
    for (const fuse of off) expect(wire[fuse], FuseV1Options[fuse]).toBe(fuseOff);
  });

  it("leaves out Electron's own demo app", () => {
    expect(existsSync(join(packed, 'resources', 'default_app.asar'))).toBe(false);
  });
});
