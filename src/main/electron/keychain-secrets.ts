import type { SafeStorage } from 'electron';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Logger, SecretStore } from '../backend/ports.ts';

interface KeychainOptions {
  safeStorage: Pick<
    SafeStorage,
    'isEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptStringAsync' | 'decryptStringAsync'
  >;
  /** JSON: id to ciphertext in base64. Not the settings, which people copy and show. */
  filePath: string;
  platform: NodeJS.Platform;
  logger: Logger;
}

/**
 * Secrets encrypted by the system for this user, where it really protects them; else in memory until the program ends.
 * Call when Electron is ready.
 */
export function createKeychainSecrets(options: KeychainOptions): SecretStore {
  return new KeychainSecrets(options);
}

class KeychainSecrets implements SecretStore {
  readonly #options: KeychainOptions;
  readonly #inMemory = new Map<string, string>();
  #isProtected: boolean;

  constructor(options: KeychainOptions) {
    this.#options = options;
    this.#isProtected = isReallyProtected(options);
  }

  get keeping(): SecretStore['keeping'] {
    return this.#isProtected ? 'keychain' : 'session';
  }

  async get(id: string): ReturnType<SecretStore['get']> {
    const value = this.#inMemory.get(id);
    if (value !== undefined) return { value, place: 'session' };
    const ciphertext = this.#read()[id];
    if (ciphertext === undefined || !this.#isProtected) return null;
    try {
      const encrypted = Buffer.from(ciphertext, 'base64');
      const { result, shouldReEncrypt } = await this.#options.safeStorage.decryptStringAsync(encrypted);
      if (shouldReEncrypt) await this.#renew(id, { ciphertext, value: result });
      return { value: result, place: 'keychain' };
    } catch (thrown) {
      // A keychain that is locked now may be open later: the ciphertext stays.
      this.#options.logger.warn('secret not decrypted', { id, message: String(thrown) });
      return null;
    }
  }

  async set(id: string, value: string): Promise<void> {
    const ciphertext = this.#isProtected ? await this.#encryptProved(value) : null;
    if (ciphertext === null) {
      this.#isProtected = false;
      this.#inMemory.set(id, value);
      this.#write(withoutId(this.#read(), id));
      return;
    }
    this.#inMemory.delete(id);
    this.#write({ ...this.#read(), [id]: ciphertext });
  }

  // Whoever saved another secret meanwhile meant that one.
  async #renew(id: string, old: { ciphertext: string; value: string }): Promise<void> {
    const fresh = await this.#encryptProved(old.value);
    const kept = this.#read();
    if (fresh !== null && kept[id] === old.ciphertext) this.#write({ ...kept, [id]: fresh });
  }

  remove(id: string): Promise<void> {
    this.#inMemory.delete(id);
    const kept = this.#read();
    if (id in kept) this.#write(withoutId(kept, id));
    return Promise.resolve();
  }

  /** Null when the system only pretends: then nothing may be written. */
  async #encryptProved(value: string): Promise<string | null> {
    const { safeStorage, platform, logger } = this.#options;
    try {
      const encrypted = await safeStorage.encryptStringAsync(value);
      // Chromium's mark of the key that is the same on every computer.
      const isHardCoded = platform === 'linux' && encrypted.subarray(0, 3).toString('latin1') === 'v10';
      // Some systems encrypt now and can't decrypt later; what can't be decrypted at once never will be.
      const isProved = !isHardCoded && (await safeStorage.decryptStringAsync(encrypted)).result === value;
      return isProved ? encrypted.toString('base64') : null;
    } catch (thrown) {
      logger.warn('secret not encrypted', { message: String(thrown) });
      return null;
    }
  }

  #read(): Record<string, string> {
    const { filePath } = this.#options;
    if (!existsSync(filePath)) return {};
    try {
      const kept: unknown = JSON.parse(readFileSync(filePath, 'utf8'));
      if (typeof kept !== 'object' || kept === null) return {};
      return Object.fromEntries(
        Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      );
    } catch {
      return {};
    }
  }

  #write(secrets: Record<string, string>): void {
    const { filePath } = this.#options;
    if (Object.keys(secrets).length === 0 && !existsSync(filePath)) return;
    const freshPath = `${filePath}.new`;
    writeFileSync(freshPath, `${JSON.stringify(secrets)}\n`, { mode: 0o600, flush: true });
    renameSync(freshPath, filePath);
  }
}

// On Linux Electron calls a key that is the same everywhere "available" as well.
function isReallyProtected({ safeStorage, platform }: KeychainOptions): boolean {
  // The asynchronous question is answered yes by the key that is the same everywhere.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  if (!safeStorage.isEncryptionAvailable()) return false;
  if (platform !== 'linux') return true;
  const backend = safeStorage.getSelectedStorageBackend();
  return backend !== 'basic_text' && backend !== 'unknown';
}

function withoutId(secrets: Record<string, string>, id: string): Record<string, string> {
  return Object.fromEntries(Object.entries(secrets).filter(([one]) => one !== id));
}
