import type { BrowserWindowConstructorOptions } from 'electron';

/** How the window is made. What is Electron's default today is written down all the same. */
export function createWindowOptions(preloadPath: string): BrowserWindowConstructorOptions {
  return {
    title: 'Swath',
    width: 1440,
    height: 900,
    minWidth: 800,
    minHeight: 560,
    show: false,
    webPreferences: {
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
      navigateOnDragDrop: false,
      disableBlinkFeatures: 'Auxclick',
      spellcheck: false,
    },
  };
}
