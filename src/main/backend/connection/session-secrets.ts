import type { SecretStore } from '../ports.ts';

/** Keeps secrets in memory until the program ends, for hosts that have nothing safer. */
export function createSessionSecrets(): SecretStore {
  const values = new Map<string, string>();
  return {
    keeping: 'session',
    get: (id) => {
      const value = values.get(id);
      return Promise.resolve(value === undefined ? null : { value, place: 'session' });
    },
    set: (id, value) => {
      values.set(id, value);
      return Promise.resolve();
    },
    remove: (id) => {
      values.delete(id);
      return Promise.resolve();
    },
  };
}
