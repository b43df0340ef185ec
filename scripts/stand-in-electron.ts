import { createPackage } from '@electron/asar';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What @electron/fuses looks for in Electron's program: the sentinel, a version, a length, one byte a fuse. */
const fuseSentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const fuseDefaults = '101100011';

/** Makes a folder that looks like unpacked Electron for Linux, as far as packing looks at it. */
export async function makeStandInElectron(folder: string): Promise<void> {
  const resources = join(folder, 'resources');
  const demo = join(folder, 'demo');
  await mkdir(resources, { recursive: true });
  await mkdir(join(folder, 'locales'));
  await mkdir(demo);
  await writeFile(join(demo, 'main.js'), '');
  await createPackage(demo, join(resources, 'default_app.asar'));

  const wire = Buffer.concat([
    Buffer.from(`#!/bin/sh\nexit 0\n# ${fuseSentinel}`),
    Buffer.from([1, fuseDefaults.length]),
    Buffer.from(fuseDefaults),
  ]);
  await writeFile(join(folder, 'electron'), wire, { mode: 0o755 });
  await writeFile(join(folder, 'version'), await readElectronVersion());
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'locales/en-US.pak']) {
    await writeFile(join(folder, name), '');
  }
}

async function readElectronVersion(): Promise<string> {
  const file = join(import.meta.dirname, '..', 'node_modules', 'electron', 'package.json');
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
  return version;
}
