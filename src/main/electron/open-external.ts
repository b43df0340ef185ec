import type { BrowserWindow, Dialog, Shell } from 'electron';
import { toExternalUrl } from './external-url.ts';

/** Opens a web page in the user's browser after asking; the addresses come from catalogs, which can write anything. */
export async function openExternal(
  url: string,
  { window, dialog, shell }: { window: BrowserWindow; dialog: Dialog; shell: Shell },
): Promise<void> {
  const target = toExternalUrl(url);
  if (!target) return;
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: `Open ${target.host} in your browser?`,
    detail: target.url.slice(0, 500),
    buttons: ['Open', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  if (response === 0) await shell.openExternal(target.url);
}
