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
