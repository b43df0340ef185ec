import type { Dialog, Shell } from 'electron';
import { expect, it } from 'vitest';
import { createDesktopPort } from './desktop-port.ts';
import { record, session, dialog, shell } from './testing/electron-stand-in.ts';

it('passes on what the system says about proxies', async () => {
  const desktop = createDesktopPort({
    dialog: dialog as unknown as Dialog,
    shell: shell as unknown as Shell,
    session,
    currentWindow: () => null,
  });
  record.nextProxy = 'PROXY proxy.example:3128; DIRECT';
  expect(await desktop.resolveProxy?.('https://catalog.example/')).toBe('PROXY proxy.example:3128; DIRECT');
});

it('opens files with the system’s program, and says when there is none', async () => {
  const desktop = createDesktopPort({
    dialog: dialog as unknown as Dialog,
    shell: shell as unknown as Shell,
    session,
    currentWindow: () => null,
  });
  await desktop.openFile?.('/out/B04.tif');
  expect(record.openedFiles).toEqual(['/out/B04.tif']);
  record.nextOpenProblem = 'no application knows this file';
  await expect(desktop.openFile?.('/out/B04.xyz')).rejects.toThrow('no application');
  record.nextOpenProblem = '';
});
