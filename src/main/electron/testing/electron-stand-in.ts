import { EventEmitter } from 'node:events';
import type Electron from 'electron';

// Stands in for the `electron` module where its runtime can't be had: what the shell calls, checked against
// Electron's own declarations, and a record of what it was told. Loaded by Node itself, see `load-stand-in.ts`.

/** What the shell did that can't be read back from an object below. */
export const record = {
  privilegedSchemes: [] as Electron.CustomScheme[],
  protocolHandlers: new Map<string, (request: Request) => Response | Promise<Response>>(),
  paths: new Map<string, string>(),
  isSandboxEnabled: false,
  exitCodes: [] as (number | undefined)[],
  windows: [] as BrowserWindow[],
  openedUrls: [] as string[],
  shownFiles: [] as string[],
  openedFiles: [] as string[],
  /** What opening a file answers: empty when it went well. */
  nextOpenProblem: '',
  askedQuestions: [] as Electron.MessageBoxOptions[],
  /** Index of the button that the next message box answers with. */
  nextButton: 0,
  nextFolder: null as string | null,
  notices: [] as Notification[],
  trays: [] as Tray[],
  badgeCounts: [] as (number | undefined)[],
  /** What preloads exposed to the page. */
  mainWorld: {} as Record<string, unknown>,
  /** What the system's proxy settings answer. */
  nextProxy: 'DIRECT',
  isOnBattery: false,
  isOnline: true,
  /** Kept awake now, by the ids that the blocker gave. */
  sleepBlockers: new Map<number, string>(),
  session: {
    permissionRequest: null as Parameters<Electron.Session['setPermissionRequestHandler']>[0],
    permissionCheck: null as Parameters<Electron.Session['setPermissionCheckHandler']>[0],
    devicePermission: null as Parameters<Electron.Session['setDevicePermissionHandler']>[0],
    beforeRequest: null as
      ((details: { url: string }, callback: (answer: Electron.CallbackResponse) => void) => void) | null,
  },
};

// `window-all-closed` isn't emitted while the program is being quit.
let isQuitting = false;

type AppMethods =
  | 'enableSandbox'
  | 'exit'
  | 'getPath'
  | 'getVersion'
  | 'isPackaged'
  | 'quit'
  | 'requestSingleInstanceLock'
  | 'setBadgeCount'
  | 'setPath'
  | 'whenReady';

const appMethods = {
  isPackaged: false,
  enableSandbox: () => {
    record.isSandboxEnabled = true;
  },
  setBadgeCount: (count) => record.badgeCounts.push(count) > 0,
  setPath: (name, path) => void record.paths.set(name, path),
  getPath: (name) => record.paths.get(name) ?? `/nowhere/${name}`,
  getVersion: () => '0.0.0-stand-in',
  requestSingleInstanceLock: () => true,
  whenReady: () => Promise.resolve(),
  exit: (code) => void record.exitCodes.push(code),
  quit: () => {
    isQuitting = true;
    app.emit('before-quit', createEvent());
    for (const window of [...record.windows]) window.close();
    isQuitting = false;
    if (record.windows.length > 0) return;
    const event = createEvent();
    app.emit('will-quit', event);
    if (!event.defaultPrevented) record.exitCodes.push(0);
  },
} satisfies Pick<Electron.App, AppMethods>;

export const app = Object.assign(new EventEmitter(), appMethods, {
  commandLine: { hasSwitch: () => false } satisfies Pick<Electron.CommandLine, 'hasSwitch'>,
});

/** A frame as a message's sender. */
export interface Frame {
  url: string;
}

class WebContents extends EventEmitter {
  mainFrame: Frame = { url: '' };
  openHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] | null = null;
  reloadCount = 0;
  readonly #methods = {
    setWindowOpenHandler: (handler) => {
      this.openHandler = handler;
    },
    isDestroyed: () => false,
    reload: () => {
      this.reloadCount++;
    },
    // Electron clones what it sends.
    send: (channel, ...args: unknown[]) =>
      queueMicrotask(() => ipcRenderer.emit(channel, {}, ...structuredClone<unknown[]>(args))),
  } satisfies Pick<Electron.WebContents, 'isDestroyed' | 'reload' | 'send' | 'setWindowOpenHandler'>;
  readonly setWindowOpenHandler = this.#methods.setWindowOpenHandler;
  readonly isDestroyed = this.#methods.isDestroyed;
  readonly reload = this.#methods.reload;
  readonly send = this.#methods.send;
}

/** A window that shows nothing. */
export class BrowserWindow extends EventEmitter {
  readonly webContents = new WebContents();
  readonly options: Electron.BrowserWindowConstructorOptions;
  loadedUrl: string | null = null;
  isShown = false;
  progress: { fraction: number; mode: string | undefined } | null = null;

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    this.options = options;
    record.windows.push(this);
  }

  loadURL(url: string): Promise<void> {
    this.loadedUrl = url;
    this.webContents.mainFrame = { url };
    queueMicrotask(() => this.emit('ready-to-show'));
    return Promise.resolve();
  }

  show(): void {
    this.isShown = true;
  }

  isMinimized(): boolean {
    return false;
  }

  restore(): void {
    this.isShown = true;
  }

  focus(): void {
    this.isShown = true;
  }

  close(): void {
    const event = createEvent();
    this.emit('close', event);
    if (!event.defaultPrevented) this.destroy();
  }

  destroy(): void {
    const index = record.windows.indexOf(this);
    if (index < 0) return;
    record.windows.splice(index, 1);
    this.emit('closed');
    if (record.windows.length === 0 && !isQuitting) app.emit('window-all-closed');
  }

  setProgressBar(fraction: number, options?: Electron.ProgressBarOptions): void {
    this.progress = { fraction, mode: options?.mode };
  }
}

/** A notification that nobody sees. */
export class Notification extends EventEmitter {
  static isSupported(): boolean {
    return true;
  }

  readonly options: Electron.NotificationConstructorOptions;
  isShown = false;

  constructor(options: Electron.NotificationConstructorOptions) {
    super();
    this.options = options;
    record.notices.push(this);
  }

  show(): void {
    this.isShown = true;
  }
}

/** An entry in a tray that isn't there. */
export class Tray extends EventEmitter {
  readonly imagePath: string;
  toolTip = '';
  menu: Electron.Menu | null = null;
  isDestroyed = false;

  constructor(imagePath: string) {
    super();
    this.imagePath = imagePath;
    record.trays.push(this);
  }

  setToolTip(toolTip: string): void {
    this.toolTip = toolTip;
  }

  setContextMenu(menu: Electron.Menu | null): void {
    this.menu = menu;
  }

  destroy(): void {
    this.isDestroyed = true;
  }
}

export const ipcMain = new EventEmitter();

const rendererMethods = {
  send: (channel, ...args: unknown[]) => {
    const [window] = record.windows;
    sendFrom(window?.webContents.mainFrame ?? null, channel, args);
  },
} satisfies Pick<Electron.IpcRenderer, 'send'>;

export const ipcRenderer = Object.assign(new EventEmitter(), rendererMethods);

/** Delivers a message to the main process as if a frame had sent it. */
export function sendFrom(senderFrame: Frame | null, channel: string, args: unknown[]): void {
  const cloned = structuredClone<unknown[]>(args);
  queueMicrotask(() => ipcMain.emit(channel, { senderFrame }, ...cloned));
}

export const contextBridge = {
  exposeInMainWorld: (name, api: unknown) => {
    record.mainWorld[name] = api;
  },
} satisfies Pick<Electron.ContextBridge, 'exposeInMainWorld'>;

export const protocol = {
  registerSchemesAsPrivileged: (schemes) => void record.privilegedSchemes.push(...schemes),
  handle: (scheme, handler) => void record.protocolHandlers.set(scheme, handler),
} satisfies Pick<Electron.Protocol, 'handle' | 'registerSchemesAsPrivileged'>;

const defaultSessionMethods = {
  setPermissionRequestHandler: (handler) => {
    record.session.permissionRequest = handler;
  },
  setPermissionCheckHandler: (handler) => {
    record.session.permissionCheck = handler;
  },
  setDevicePermissionHandler: (handler) => {
    record.session.devicePermission = handler;
  },
  resolveProxy: () => Promise.resolve(record.nextProxy),
} satisfies Pick<
  Electron.Session,
  'resolveProxy' | 'setDevicePermissionHandler' | 'setPermissionCheckHandler' | 'setPermissionRequestHandler'
>;

/** A system without a keychain. */
export const safeStorage = {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the shell asks it
  isEncryptionAvailable: () => false,
} satisfies Partial<Electron.SafeStorage>;

export const session = {
  defaultSession: Object.assign(new EventEmitter(), defaultSessionMethods, {
    webRequest: {
      onBeforeRequest: (handler: typeof record.session.beforeRequest) => {
        record.session.beforeRequest = handler;
      },
    },
  }),
};

export const dialog = {
  showErrorBox: (title, content) => {
    throw new Error(`${title}: ${content}`);
  },
  showMessageBox: (...args: unknown[]) => {
    record.askedQuestions.push(args.at(-1) as Electron.MessageBoxOptions);
    return Promise.resolve({ response: record.nextButton, checkboxChecked: false });
  },
  showOpenDialog: () =>
    Promise.resolve({
      canceled: record.nextFolder === null,
      filePaths: record.nextFolder === null ? [] : [record.nextFolder],
    }),
} satisfies Pick<Electron.Dialog, 'showErrorBox' | 'showMessageBox' | 'showOpenDialog'>;

export const shell = {
  openExternal: (url) => {
    record.openedUrls.push(url);
    return Promise.resolve();
  },
  openPath: (path) => {
    record.openedFiles.push(path);
    return Promise.resolve(record.nextOpenProblem);
  },
  showItemInFolder: (path) => void record.shownFiles.push(path),
} satisfies Pick<Electron.Shell, 'openExternal' | 'openPath' | 'showItemInFolder'>;

export const powerMonitor = Object.assign(new EventEmitter(), {
  isOnBatteryPower: () => record.isOnBattery,
} satisfies Pick<Electron.PowerMonitor, 'isOnBatteryPower'>);

export const powerSaveBlocker = {
  start: (type) => {
    const id = record.sleepBlockers.size + 1;
    record.sleepBlockers.set(id, type);
    return id;
  },
  stop: (id) => record.sleepBlockers.delete(id),
} satisfies Pick<Electron.PowerSaveBlocker, 'start' | 'stop'>;

export const net = {
  isOnline: () => record.isOnline,
} satisfies Pick<Electron.Net, 'isOnline'>;

export const Menu = {
  buildFromTemplate: (template: readonly unknown[]) => ({ template }),
  setApplicationMenu: () => undefined,
};

/** An event whose default can be prevented. */
export function createEvent(): { defaultPrevented: boolean; preventDefault(): void } {
  return {
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true;
    },
  };
}

const everything = {
  app,
  BrowserWindow,
  contextBridge,
  dialog,
  ipcMain,
  ipcRenderer,
  Menu,
  net,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  session,
  shell,
  Tray,
};
// Some packages import the module whole.
export { everything as default };
