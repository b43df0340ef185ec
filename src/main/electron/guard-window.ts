import type { Session, WebContents } from 'electron';
import { isAppUrl, isOwnFile, mayLoad } from './app-url.ts';
import { isPermitted } from './permissions.ts';

/** Denies a session whatever the window doesn't need: permissions, devices, the network, files of others. */
export function guardSession(session: Session, { isDevelopment }: { isDevelopment: boolean }): void {
  session.setPermissionRequestHandler((...[, permission, callback, details]) =>
    callback(isPermitted(permission, details.requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) => isPermitted(permission, origin));
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((details, callback) => {
    const isDevtools = isDevelopment && details.url.startsWith('devtools://');
    callback({ cancel: !isDevtools && !mayLoad(details.url) });
  });
  // What the window made itself is saved by the system's dialog.
  session.on('will-download', (event, item) => {
    if (!isOwnFile(item.getURL())) event.preventDefault();
  });
}

/** Keeps a window on its own page. Links to elsewhere are offered to the user's browser. */
export function guardContents(
  contents: WebContents,
  { openExternal }: { openExternal: (url: string) => void },
): void {
  const stay = (event: { preventDefault(): void; url: string }): void => {
    if (!isAppUrl(event.url)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openExternal(url);
    return { action: 'deny' };
  });
}
