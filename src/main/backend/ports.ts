import type { Settings } from '#shared/settings/settings.ts';

/** Where settings are kept. `electron-store` and `conf` both have this shape; the backend is handed one. */
export interface SettingsStore {
  /** What the file says, unchecked: people edit it. */
  read(): Record<string, unknown>;
  write(settings: Settings): void;
}

/** Access tokens and client secrets, each under the id of its connection. */
export interface SecretStore {
  /** Where a secret that is set now is kept: encrypted for this user, or in memory until the program ends. */
  readonly keeping: 'keychain' | 'session';
  get(id: string): Promise<{ value: string; place: 'keychain' | 'session' } | null>;
  set(id: string, value: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** What only a desktop has. A host leaves out what it can't do. */
export interface DesktopPort {
  /** Opens the system's folder dialog; null when it was dismissed. */
  chooseFolder?(options: { startAt: string | null }): Promise<string | null>;
  /** Opens the system's dialog for a file of these kinds; null when it was dismissed. */
  chooseFile?(options: { name: string; extensions: string[] }): Promise<string | null>;
  /** Shows a file in the system's file manager. */
  showFile?(path: string): Promise<void>;
  /** Opens a file with the program that the system has for it. Rejects when there is none. */
  openFile?(path: string): Promise<void>;
  /** The system's proxy settings for a URL, in the form of a PAC answer: `PROXY host:port; DIRECT`. */
  resolveProxy?(url: string): Promise<string>;
  /** What the desktop shows of the downloads outside the window. */
  readonly attention?: AttentionPort;
}

/** What a person asks for outside the window. */
export type AttentionAct = 'show-downloads' | 'pause-all' | 'resume-all';

/** Taskbar or dock, notifications, and an entry in the tray. */
export interface AttentionPort {
  /** On the taskbar or dock: how far all of it is, from 0 to 1, and how many files are to come; null takes it away. */
  showProgress(
    progress: { fraction: number; tone: 'running' | 'paused' | 'problem'; leftCount: number } | null,
  ): void;
  /** A notification of the system. Pressing it is `show-downloads`. */
  notify(notice: { title: string; body: string }): void;
  /** The entry in the tray: what the downloads do, in a line; null takes it away. */
  showTray(tray: { words: string; act: 'pause-all' | 'resume-all' | null } | null): void;
  /** Calls back with what a person asks for. */
  onAct(listener: (act: AttentionAct) => void): void;
}

/** What a system tells of its power and its network; null where it doesn't. */
export interface SystemState {
  isOnBattery: boolean | null;
  /** Whether the connection is paid for by volume. */
  isMetered: boolean | null;
}

/**
 * `suspend`: the computer is about to sleep. `resume`: it has woken. `network`: another one may be there, or any at all;
 * that says nothing of what can be reached. `power`: plugged in, or out.
 */
export type SystemEvent = 'suspend' | 'resume' | 'network' | 'power';

/** Power and network as the system sees them. */
export interface SystemPort {
  /** Never fails. */
  read(): Promise<SystemState>;
  /** Calls back with what happens, as far as the system tells. Returns the way to stop. */
  onEvent(listener: (event: SystemEvent) => void): () => void;
  /** Keeps the computer from falling asleep by itself, or no longer. The screen may go dark. */
  keepAwake(isOn: boolean): void;
}

/** A system that tells nothing. */
export const silentSystem: SystemPort = {
  read: () => Promise.resolve({ isOnBattery: null, isMetered: null }),
  onEvent: () => () => undefined,
  keepAwake: () => undefined,
};

/** Time from outside, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since 1970 UTC. */
  now(): number;
  /** Milliseconds since some moment, whatever is done to the clock meanwhile; left out: the clock is never put. */
  elapsedMs?(): number;
}

/** The computer's own clock. */
export const systemClock: Clock & Required<Pick<Clock, 'elapsedMs'>> = {
  now: () => Date.now(),
  elapsedMs: () => performance.now(),
};

/** For measuring how long something lasts: a clock that is put makes that neither longer nor shorter. */
export function elapsedMsOf(clock: Clock): number {
  return clock.elapsedMs?.() ?? clock.now();
}

/** A line for the log: an event name and facts. Never a token, never a signed query string. */
export interface Logger {
  info(event: string, facts?: Readonly<Record<string, unknown>>): void;
  warn(event: string, facts?: Readonly<Record<string, unknown>>): void;
  error(event: string, facts?: Readonly<Record<string, unknown>>): void;
}

/** A logger that keeps nothing. */
export const silentLogger: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Everything that a shell with a window gives the backend. */
export interface Ports {
  host: 'electron' | 'browser';
  appVersion: string;
  /** Folder for the library, the demo catalog and the log. */
  dataDir: string;
  /** The user's home, where folder lists begin. */
  homeDir: string;
  /** The system's folder for downloads. */
  downloadsDir: string;
  settings: SettingsStore;
  /** Left out by hosts that have nothing safer than memory. */
  secrets?: SecretStore;
  /** The program's environment variables, in which users of the service have its addresses and secrets. */
  env?: Readonly<Record<string, string | undefined>>;
  desktop: DesktopPort;
  /** Left out by hosts that know nothing of power and network. */
  system?: SystemPort;
  clock: Clock;
  logger: Logger;
}
