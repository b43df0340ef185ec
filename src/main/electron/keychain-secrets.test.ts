import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../backend/ports.ts';
import { createKeychainSecrets } from './keychain-secrets.ts';

type SafeStorage = Parameters<typeof createKeychainSecrets>[0]['safeStorage'];

const secret = 'hunter2-token';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A keychain as Electron shows it; its ciphertext is the text turned round, behind Chromium's mark. */
function keychain(changes: Partial<SafeStorage> & { mark?: string } = {}): SafeStorage {
  const { mark = 'v11', ...others } = changes;
  const turn = (text: string): string => Buffer.from(text).reverse().toString();
  return {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- there is no other question that tells the truth
    isEncryptionAvailable: () => true,
    getSelectedStorageBackend: () => 'gnome_libsecret',
    encryptStringAsync: (text) => Promise.resolve(Buffer.from(mark + turn(text))),
    decryptStringAsync: (bytes) =>
      Promise.resolve({ result: turn(bytes.toString().slice(3)), shouldReEncrypt: false }),
    ...others,
  };
}

function open(safeStorage: SafeStorage, platform: NodeJS.Platform = 'linux') {
  const filePath = join(folder, 'secrets.json');
  const store = createKeychainSecrets({ safeStorage, filePath, platform, logger: silentLogger });
  const readFile = (): string => {
    const isThere = statSync(filePath, { throwIfNoEntry: false });
    return isThere ? readFileSync(filePath, 'latin1') : '';
  };
  return { store, readFile, filePath };
}

describe('secrets in the keychain', () => {
  it('are there at the next start, and nobody else can read the file', async () => {
    const { store, readFile, filePath } = open(keychain());
    await store.set('a1', secret);
    expect(readFile()).not.toContain(secret);
    if (process.platform !== 'win32') expect(statSync(filePath).mode & 0o777).toBe(0o600);
    const next = open(keychain()).store;
    expect(await next.get('a1')).toEqual({ value: secret, place: 'keychain' });
    await next.remove('a1');
    expect(await open(keychain()).store.get('a1')).toBeNull();
  });

  it.each([
    ['is not there', keychain({ isEncryptionAvailable: () => false })],
    ['protects nothing', keychain({ getSelectedStorageBackend: () => 'basic_text' })],
    ['has the key that is the same everywhere', keychain({ mark: 'v10' })],
    [
      'can not give back what it took',
      keychain({ decryptStringAsync: () => Promise.reject(new Error('wrong key')) }),
    ],
  ])('stay in memory where it %s', async (_why, safeStorage) => {
    const { store, readFile } = open(safeStorage);
    await store.set('a1', secret);
    expect([store.keeping, await store.get('a1')]).toEqual(['session', { value: secret, place: 'session' }]);
    expect(readFile()).toBe('');
    expect(await open(safeStorage).store.get('a1')).toBeNull();
  });

  it('outlive a keychain that is locked for a while', async () => {
    await open(keychain()).store.set('a1', secret);
    const locked = keychain({
      decryptStringAsync: () => Promise.reject(new Error('temporarily unavailable')),
    });
    expect(await open(locked).store.get('a1')).toBeNull();
    expect((await open(keychain()).store.get('a1'))?.value).toBe(secret);
  });

  it('are encrypted anew when the keychain asks for it', async () => {
    await open(keychain()).store.set('a1', secret);
    const result = { result: secret, shouldReEncrypt: true };
    const { store, readFile } = open(
      keychain({ mark: 'v12', decryptStringAsync: () => Promise.resolve(result) }),
    );
    await store.get('a1');
    const kept = JSON.parse(readFile()) as { a1: string };
    expect(Buffer.from(kept.a1, 'base64').toString()).toMatch(/^v12/);
  });

  it('stay as they were saved while an older one was to be encrypted anew', async () => {
    await open(keychain()).store.set('a1', secret);
    const old = Promise.withResolvers<{ result: string; shouldReEncrypt: boolean }>();
    const { store } = open(keychain({ decryptStringAsync: () => old.promise }));
    const getting = store.get('a1');
    await open(keychain()).store.set('a1', 'newer');
    old.resolve({ result: secret, shouldReEncrypt: true });
    await getting;
    expect(await open(keychain()).store.get('a1')).toMatchObject({ value: 'newer' });
  });
});
