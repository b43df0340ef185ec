import Database from 'better-sqlite3';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '#shared/rpc/client.ts';
import { contract } from '#shared/rpc/contract.ts';
import type { Client } from '#shared/rpc/define-contract.ts';
import { createMemoryPipe } from '#shared/rpc/memory-pipe.ts';
import { defaultTransferLimits } from '#shared/settings/transfer-limits.ts';
import { eventually } from '#shared/testing/eventually.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { placeOrder } from './api/testing/place-order.ts';
import { createBackend, openLog, type Backend } from './backend.ts';
import { serveDemo } from './commands.ts';
import { systemClock, type DesktopPort } from './ports.ts';

const token = 'hunter2-token';

// Pictures are rendered while other tests keep the processor busy.
describe('the backend', () => {
  let demoDir: string;
  let root: string;
  let demo: Awaited<ReturnType<typeof serveDemo>>;
  let stored: Record<string, unknown>;
  let backend: Backend;
  let client: Client<typeof contract>;

  beforeAll(() => {
    demoDir = mkdtempSync(join(tmpdir(), 'swath-demo-'));
  });
  afterAll(() => rmSync(demoDir, { recursive: true, force: true }));

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'swath-backend-'));
    mkdirSync(join(root, 'home'));
    stored = {};
    demo = await serveDemo({
      dataDir: demoDir,
      port: 0,
      itemCount: 300,
      clock: systemClock,
      token,
    });
    ({ backend, client } = open());
  });
  afterEach(async () => {
    await backend.close();
    await demo.close();
    rmSync(root, { recursive: true, force: true });
  });

  function open({ desktop = {}, baseUrl = demo.baseUrl }: { desktop?: DesktopPort; baseUrl?: string } = {}) {
    const opened = createBackend({
      isValidating: true,
      connection: { kind: 'remote', baseUrl, token },
      ports: {
        host: desktop.chooseFolder ? 'electron' : 'browser',
        appVersion: '1.2.3',
        dataDir: join(root, 'data'),
        homeDir: join(root, 'home'),
        downloadsDir: join(root, 'home', 'Downloads'),
        settings: { read: () => stored, write: (settings) => void (stored = { ...settings }) },
        desktop,
        clock: systemClock,
        logger: openLog(join(root, 'swath.log'), { clock: systemClock }),
      },
    });
    const [near, far] = createMemoryPipe();
    opened.router.serve(far);
    return { backend: opened, client: createClient(contract, near, { isValidating: true }) };
  }

  async function findItem() {
    const { rows } = await client.search.run({ query: { collections: ['sentinel-2-l2a'], limit: 1 } });
    const [row] = rows;
    if (!row) throw new Error('The demo catalog has no such item');
    return { collectionId: row.collectionId, itemId: row.itemId };
  }

  it('says what it is', async () => {
    expect(await client.app.info({})).toEqual({
      version: '1.2.3',
      host: 'browser',
      hasFolderDialog: false,
      canShowFiles: false,
      canOpenFiles: false,
    });
  });

  it('tells how the catalog is doing', async () => {
    const states: string[] = [];
    client.connection.watch({}, { onEvent: ({ state }) => states.push(state) });
    await eventually(() => expect(states.at(-1)).toBe('online'));
    await demo.close();
    await client.connection.retry({});
    await eventually(() => expect(states.at(-1)).toBe('offline'));
  });

  it('searches page by page and gives each item once', async () => {
    const query = { collections: ['sentinel-2-l2a', 'landsat-c2l2-sr'], limit: 20 };
    const first = await client.search.run({ query });
    expect(first.rows).toHaveLength(20);
    expect(first.hasMore).toBe(true);
    const ids = first.rows.map(({ itemId }) => itemId);
    for (let page = first; page.hasMore;) {
      page = await client.search.more({ searchId: first.searchId });
      ids.push(...page.rows.map(({ itemId }) => itemId));
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(first.matched);
  });

  it('asks for the same search twice at once without mixing up its pages', async () => {
    const first = await client.search.run({ query: { collections: ['sentinel-2-l2a'], limit: 5 } });
    const pages = await Promise.all([1, 2].map(() => client.search.more({ searchId: first.searchId })));
    const ids = [first, ...pages].flatMap(({ rows }) => rows.map(({ itemId }) => itemId));
    expect(new Set(ids).size).toBe(15);
  });

  it('says which search it no longer knows', async () => {
    await expect(client.search.more({ searchId: 'long-ago' })).rejects.toMatchObject({
      code: 'input.invalid',
    });
  });

  it('shows an item without its signed links', async () => {
    const { item, assets, row } = await client.item.get(await findItem());
    expect(JSON.stringify(item)).not.toMatch(/signature/i);
    expect(row.itemId).toBe(item['id']);
    expect(assets.find(({ key }) => key === 'visual')).toMatchObject({
      availability: 'downloadable',
      isVerifiable: true,
    });
  });

  it('has a seen item at once, before the catalog is asked for it', async () => {
    const ref = await findItem();
    const [kept, unseen] = await Promise.all(
      [ref, { ...ref, itemId: 'unseen' }].map((one) => client.item.kept(one)),
    );
    expect(kept?.row).toEqual((await client.item.get(ref)).row);
    expect(unseen).toBeNull();
  });

  it('answers from the library when the catalog is out of reach', async () => {
    const ref = await findItem();
    const online = {
      collections: await client.catalog.collections({}),
      queryables: await client.catalog.queryables({ collectionIds: ['sentinel-2-l2a'] }),
      item: await client.item.get(ref),
    };
    await demo.close();
    expect(await client.catalog.collections({})).toEqual(online.collections);
    expect(await client.catalog.queryables({ collectionIds: ['sentinel-2-l2a'] })).toEqual(online.queryables);
    expect((await client.item.get(ref)).asOf).toBe(online.item.asOf);
    await expect(client.catalog.queryables({ collectionIds: ['venus-l2a'] })).rejects.toMatchObject({
      code: 'network.offline',
    });
  });

  describe('with a library that has no room', () => {
    let library: Database.Database;
    const query = { collections: ['sentinel-2-l2a'], limit: 1 };

    beforeEach(() => {
      const dataDir = join(root, 'data');
      const fileName = readdirSync(dataDir).find((name) => /^library-.*\.sqlite$/.test(name)) ?? '';
      library = new Database(join(dataDir, fileName));
      for (const write of ['INSERT ON item', 'INSERT ON queryables', 'UPDATE ON collection'])
        library.exec(`CREATE TRIGGER "${write}" BEFORE ${write} BEGIN SELECT RAISE(ABORT, 'full'); END`);
    });
    afterEach(() => library.close());

    it('gives what the catalog answers all the same', async () => {
      const { rows } = await client.search.run({ query });
      const { collectionId = '', itemId = '' } = rows[0] ?? {};
      expect((await client.item.get({ collectionId, itemId })).row).toEqual(rows[0]);
      expect((await client.catalog.collections({})).collections).not.toEqual([]);
      const { queryables } = await client.catalog.queryables({ collectionIds: ['venus-l2a'] });
      expect(queryables).not.toEqual([]);
      expect(readFileSync(join(root, 'swath.log'), 'utf8')).toContain('answer not kept');
    });

    it('does not take a search for complete that it kept in part', async () => {
      const { matched } = await client.search.run({ query });
      const limit = Math.ceil((matched ?? 0) / 2);
      const first = await client.search.run({ query: { ...query, limit } });
      // The history waits for what is on its way into the library.
      await client.saved.history({});
      library.exec('DROP TRIGGER "INSERT ON item"');
      const second = await client.search.more({ searchId: first.searchId });
      expect([second.hasMore, first.rows.length + second.rows.length]).toEqual([false, matched]);
      await client.search.run({ query: { ...query, limit: 10_000 } });
      await client.saved.history({});
      const kept = library
        .prepare('SELECT is_complete FROM search ORDER BY number DESC LIMIT 2')
        .pluck()
        .all();
      expect(kept).toEqual([1, 0]);
    });
  });

  it('fetches a picture once and keeps it for when there is no network', async () => {
    const { collectionId, itemId } = await findItem();
    const path = `/_thumb/${[await catalogId(client), collectionId, itemId].map(encodeURIComponent).join('/')}`;
    const [first, second] = await Promise.all([backend.serveResource(path), backend.serveResource(path)]);
    expect(first).toMatchObject({ status: 200, headers: { 'content-type': 'image/png' } });
    expect(second.body.equals(first.body)).toBe(true);
    await demo.close();
    expect((await backend.serveResource(path)).body.equals(first.body)).toBe(true);
  });

  it.each([
    '/_thumb/another/sentinel-2-l2a/nothing',
    '/_thumb/a',
    '/_thumb/a/b/c/d',
    '/_thumb/a/%/b',
    '/_other',
    '/_thumb/a//b',
  ])('has nothing at %s', async (path) => {
    const { status, headers } = await backend.serveResource(path);
    expect(status).toBe(404);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('brings an asset home, verified, into the suggested folder', async () => {
    const destination = (await client.folders.suggested({})).path;
    const { downloadId } = await placeOrder(client, {
      refs: [await findItem()],
      assetKeys: ['visual'],
      destination,
    });
    const transfer = await waitForTransfer(
      client,
      (one) => one.downloadId === downloadId && one.state === 'done',
    );
    expect(transfer.verification).toBe('checksum');
    expect(statSync(transfer.filePath ?? '').size).toBe(transfer.totalBytes);
    await client.downloads.remove({ transferIds: [transfer.transferId] });
    expect(existsSync(transfer.filePath ?? '')).toBe(true);
  });

  it('writes to no folder that is not one', async () => {
    const order = { refs: [await findItem()], assetKeys: ['visual'] };
    for (const destination of ['relative', '/nowhere/at/all', join(root, 'swath.log'), `${root}\0`]) {
      await expect(placeOrder(client, { ...order, destination })).rejects.toMatchObject({
        code: 'transfer.destination-missing',
      });
    }
  });

  it('takes only folders that a person chose where there is a dialog', async () => {
    await backend.close();
    const chosen = join(root, 'chosen');
    mkdirSync(chosen);
    const shown: string[] = [];
    ({ backend, client } = open({
      desktop: {
        chooseFolder: () => Promise.resolve(chosen),
        showFile: (path) => Promise.resolve(void shown.push(path)),
      },
    }));
    const order = { refs: [await findItem()], assetKeys: ['thumbnail'] };
    const start = (destination: string) => placeOrder(client, { ...order, destination });
    await expect(start(root)).rejects.toMatchObject({ code: 'transfer.destination-not-writable' });
    await expect(start(chosen)).rejects.toMatchObject({ code: 'transfer.destination-not-writable' });
    await expect(client.settings.change({ destination: root })).rejects.toMatchObject({
      code: 'input.invalid',
    });
    await expect(client.folders.list({ path: '/' })).rejects.toMatchObject({ code: 'host.unsupported' });

    expect(await client.folders.choose({ startAt: null })).toMatchObject({ path: chosen });
    const { downloadId } = await start(chosen);
    const { transferId, filePath } = await waitForTransfer(
      client,
      (one) => one.downloadId === downloadId && one.state === 'done',
    );
    await client.app.showFile({ transferId });
    expect(shown).toEqual([filePath]);
    await expect(client.app.showFile({ transferId: 999 })).rejects.toMatchObject({
      code: 'transfer.not-found',
    });
  });

  it('keeps settings, and each malformed one in the file falls back alone', async () => {
    await backend.close();
    stored = { theme: 'purple', maxConcurrentTransfers: 2, unknown: true };
    ({ backend, client } = open());
    const seen: unknown[] = [];
    client.settings.watch({}, { onEvent: (settings) => seen.push(settings) });
    await eventually(() => expect(seen).toHaveLength(1));
    expect(seen[0]).toMatchObject({ theme: 'system', maxConcurrentTransfers: 2 });
    await client.settings.change({ theme: 'dark' });
    await eventually(() => expect(seen.at(-1)).toMatchObject({ theme: 'dark', maxConcurrentTransfers: 2 }));
    expect(stored).toMatchObject({ theme: 'dark', maxConcurrentTransfers: 2 });
  });

  it('holds the queue by hours that are set while it is open, and lets go of it again', async () => {
    const codes: (string | null)[] = [];
    client.downloads.watch({}, { onEvent: ({ queue }) => codes.push(queue.hold?.error.code ?? null) });
    await eventually(() => expect(codes).toEqual([null]));
    const { schedule } = defaultTransferLimits;
    const never = { ...schedule, isOn: true, hours: schedule.hours.map(() => false) };
    await client.settings.change({ transferLimits: { ...defaultTransferLimits, schedule: never } });
    await eventually(() => expect(codes.at(-1)).toBe('limit.schedule'));
    await client.settings.change({ transferLimits: defaultTransferLimits });
    await eventually(() => expect(codes.at(-1)).toBeNull());
  });

  it('writes the token nowhere', async () => {
    const ref = await findItem();
    await backend.serveResource(`/_thumb/${await catalogId(client)}/${ref.collectionId}/${ref.itemId}`);
    await demo.close();
    await client.catalog.queryables({ collectionIds: ['venus-l2a'] }).catch(() => undefined);
    expect(readFileSync(join(root, 'swath.log'), 'utf8')).not.toContain(token);
  });

  it('leaves the data folder to whoever has it', async () => {
    expect(() => open()).toThrow(expect.objectContaining({ code: 'library.in-use' }));
    expect((await client.catalog.collections({})).collections.length).toBeGreaterThan(0);
  });

  it('shows why a catalog can not be used', async () => {
    await backend.close();
    ({ backend, client } = open({ baseUrl: `${demo.baseUrl}/nothing` }));
    const seen: { state: string; problem: string | null }[] = [];
    client.connection.watch({}, { onEvent: (status) => seen.push(status) });
    await eventually(() => expect(seen.at(-1)?.state).toBe('failed'));
    expect(seen.at(-1)?.problem).not.toBeNull();
  });
});

/** The id of the catalog in use. */
function catalogId(client: Client<typeof contract>): Promise<string> {
  return new Promise((resolve) => {
    const stop = client.connection.watch(
      {},
      {
        onEvent: ({ connectionId }) => {
          stop();
          resolve(connectionId);
        },
      },
    );
  });
}

function waitForTransfer(
  client: Client<typeof contract>,
  isWanted: (transfer: Transfer) => boolean,
): Promise<Transfer> {
  return new Promise((resolve, reject) => {
    const stop = client.downloads.watch(
      {},
      {
        onEvent: ({ changed }) => {
          const found = changed.find(isWanted);
          if (!found) return;
          stop();
          resolve(found);
        },
        onError: reject,
      },
    );
  });
}
