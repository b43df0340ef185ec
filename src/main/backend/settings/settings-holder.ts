import { readSettings, type Settings } from '#shared/settings/settings.ts';
import type { SettingsStore } from '../ports.ts';

/** The settings in use. */
export interface SettingsHolder {
  readonly current: Settings;
  /** Changes some and writes all; tells the listeners. */
  change(changes: Partial<{ [Name in keyof Settings]: Settings[Name] | undefined }>): Settings;
  /** Called with the settings after every change; returns the way to stop. */
  onChange(listener: (settings: Settings) => void): () => void;
}

/** Reads the settings once; whatever is malformed in the file falls back to its default. */
export function createSettingsHolder(store: SettingsStore): SettingsHolder {
  const listeners = new Set<(settings: Settings) => void>();
  let current = readSettings(store.read());
  return {
    get current() {
      return current;
    },
    change(changes) {
      const changed = readSettings({ ...current, ...withoutUndefined(changes) });
      store.write(changed);
      current = changed;
      for (const listener of [...listeners]) listener(current);
      return current;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function withoutUndefined(changes: object): object {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
