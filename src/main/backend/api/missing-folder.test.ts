import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '#shared/rpc/client.ts';
import { contract } from '#shared/rpc/contract.ts';
import type { Client } from '#shared/rpc/define-contract.ts';
import { createMemoryPipe } from '#shared/rpc/memory-pipe.ts';
import type { StorageOutcome, StorageStatus, StorageTask } from '#shared/storage/storage.ts';
import { eventually } from '#shared/testing/eventually.ts';
import { createBackend } from '../backend.ts';
import { idOfAddress } from '../connection/connection-choice.ts';
import { serve } from '../http/testing/serve.ts';
import { libraryFileName } from '../library/library-file.ts';
import { openLibrary } from '../library/open-library.ts';
import { anItem } from '../library/upkeep/testing/make-items.ts';
import { makePorts } from '../testing/make-ports.ts';

interface Window {
  client: Client<typeof contract>;
  status(): StorageStatus;
  perform(task: StorageTask): Promise<StorageOutcome>;
}

interface Desk {
  drive: string;
  dataDir: string;
  connectionId: string;
  /** Where the settings say that the libraries are. */
  readonly libraryFolder: unknown;
  /** Starts the program in a window. */
  open(): Promise<Window>;
}

/** The library of a catalog on a drive of its own. */
async function makeDesk(): Promise<Desk> {
  const server = await serve(() => ({ body: { collections: [], links: [] } }));
  const root = mkdtempSync(join(tmpdir(), 'swath-missing-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [drive, dataDir] = [join(root, 'drive'), join(root, 'data')];
  for (const folder of [drive, dataDir]) mkdirSync(folder);
  const connectionId = idOfAddress(server.origin);
  let stored: Record<string, unknown> = { libraryFolder: drive };
  const library = openLibrary({ filePath: join(drive, libraryFileName(connectionId)) });
  await library.saveItems([anItem('c', 1)], 1);
  await library.close();
  const settings = {
    read: () => stored,
    write: (changed: Record<string, unknown>) => void (stored = changed),
  };
  return {
    drive,
    dataDir,
    connectionId,
    get libraryFolder() {
      return stored['libraryFolder'];
    },
    async open() {
      const backend = createBackend({
        isValidating: true,
        connection: { kind: 'remote', baseUrl: server.origin, token: null },
        ports: makePorts(dataDir, { settings }),
      });
      onTestFinished(() => backend.close());
      const [near, far] = createMemoryPipe();
      backend.router.serve(far);
      const client = createClient(contract, near, { isValidating: true });
      let status: StorageStatus | null = null;
      client.storage.watch({}, { onEvent: (event) => (status = event) });
      const current = (): StorageStatus => status as unknown as StorageStatus;
      await eventually(() => expect(status).not.toBe(null));
      return {
        client,
        status: current,
        async perform(task) {
          await client.storage.dismiss({});
          await eventually(() => expect(current().outcome).toBe(null));
          await client.storage.start(task);
          await eventually(() => expect(current().outcome).not.toBe(null));
          return current().outcome as StorageOutcome;
        },
      };
    },
  };
}

const missing = (folder: string) => ({ code: 'library.folder-missing', details: { folder } });

it('starts without the drive that the libraries are on, says so, and does nothing with them', async () => {
  const desk = await makeDesk();
  const { drive, dataDir, connectionId } = desk;
  renameSync(drive, `${drive}-away`);
  const { client, status, perform } = await desk.open();
  expect(status()).toMatchObject({ folder: drive, folderProblem: missing(drive) });
  await expect(client.storage.usage({ connectionId })).rejects.toMatchObject(missing(drive));

  const tasks: StorageTask[] = [
    { kind: 'verify', connectionId, isThorough: false },
    { kind: 'compact', connectionId },
    { kind: 'rebuild', connectionId },
    { kind: 'evict' },
    { kind: 'back-up', folder: dataDir },
    { kind: 'move', folder: null },
  ];
  for (const task of tasks) {
    expect(await perform(task)).toMatchObject({ state: 'failed', error: missing(drive) });
  }
  // What stands in for the library is not to take its place once the drive is back.
  renameSync(`${drive}-away`, drive);
  for (const task of tasks) {
    expect(await perform(task)).toMatchObject({ state: 'failed', error: missing(drive) });
  }
  expect(await perform({ kind: 'move', folder: null, isLeavingBehind: true })).toMatchObject({
    state: 'failed',
    error: { code: 'input.invalid' },
  });
  expect(readdirSync(dataDir).filter((name) => /^library|^swath-backup/.test(name))).toEqual([]);
  expect(readdirSync(drive)).toContain(libraryFileName(connectionId));
  expect(desk.libraryFolder).toBe(drive);
});

it('begins anew in its own folder when a person leaves the lost one behind, and touches nothing there', async () => {
  const desk = await makeDesk();
  const { drive, dataDir, connectionId } = desk;
  renameSync(drive, `${drive}-away`);
  const { client, status, perform } = await desk.open();
  expect(await perform({ kind: 'move', folder: null, isLeavingBehind: true })).toMatchObject({
    state: 'done',
    canUndo: false,
  });
  expect(status()).toMatchObject({ folder: dataDir, isOwnFolder: true, folderProblem: null });
  expect(desk.libraryFolder).toBe(null);
  expect(await client.storage.usage({ connectionId })).toMatchObject({ itemCount: 0 });
  expect(readdirSync(dataDir)).toContain(libraryFileName(connectionId));
  expect(readdirSync(`${drive}-away`)).toContain(libraryFileName(connectionId));
});
