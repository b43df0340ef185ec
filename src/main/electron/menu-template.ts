import type { MenuItemConstructorOptions } from 'electron';

/** The application's menu: the system's own entries, so that they are translated and have the usual keys. */
export function createMenuTemplate(options: {
  isMac: boolean;
  isDevelopment: boolean;
}): MenuItemConstructorOptions[] {
  const development: MenuItemConstructorOptions[] = [
    { type: 'separator' },
    { role: 'forceReload' },
    { role: 'toggleDevTools' },
  ];
  return [
    ...(options.isMac ? [{ role: 'appMenu' as const }] : []),
    { role: 'fileMenu' },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        { role: 'reload' },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...(options.isDevelopment ? development : []),
      ],
    },
    { role: 'windowMenu' },
  ];
}
