import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '#shared/rpc/client.ts';
import { contract } from '#shared/rpc/contract.ts';
import type { Client } from '#shared/rpc/define-contract.ts';
import { createMemoryPipe } from '#shared/rpc/memory-pipe.ts';
import { noAssets } from '#shared/selection/asset-rule.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import { eventually } from '#shared/testing/eventually.ts';
import { createBackend, openLog, type Backend } from '../backend.ts';
import { serveDemo } from '../commands.ts';
import { systemClock } from '../ports.ts';
import { makePorts } from '../testing/make-ports.ts';
import { placeOrder, toOrderInput } from './testing/place-order.ts';

type SwathClient = Client<typeof contract>;
type Summary = Parameters<Parameters<SwathClient['selection']['assets']>[1]['onEvent']>[0];

const token = 'hunter2-token';
const collectionId = 'sentinel-2-l2a';

describe('many items at once', () => {
  let demoDir: string;
  let root: string;
  let demo: Awaited<ReturnType<typeof serveDemo>>;
  let backend: Backend;
  let client: SwathClient;

  beforeAll(async () => {
    demoDir = mkdtempSync(join(tmpdir(), 'swath-selection-demo-'));
    demo = await serveDemo({ dataDir: demoDir, port: 0, itemCount: 300, clock: systemClock, token });
  });
  afterAll(async () => {
    await demo.close();
    rmSync(demoDir, { recursive: true, force: true });
  });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'swath-selection-'));
    mkdirSync(join(root, 'Downloads'));
    backend = createBackend({
      isValidating: true,
      connection: { kind: 'remote', baseUrl: demo.baseUrl, token },
      ports: makePorts(root, {
        dataDir: join(root, 'data'),
        downloadsDir: join(root, 'Downloads'),
        logger: openLog(join(root, 'swath.log'), { clock: systemClock }),
      }),
    });
    const [near, far] = createMemoryPipe();
    backend.router.serve(far);
    client = createClient(contract, near, { isValidating: true });
  });
  afterEach(async () => {
    await backend.close();
    rmSync(root, { recursive: true, force: true });
  });

  async function findRefs(limit: number) {
    const query = { collections: [collectionId], limit };
    const { rows } = await client.search.run({ query, localFilter: null, savedSearchId: null });
    return rows.map(({ itemId }) => ({ collectionId, itemId }));
  }

  function readLog(): string {
    const path = join(root, 'swath.log');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  async function askDirectly(from: string, limit: number) {
    const answer = await fetch(`${demo.baseUrl}/collections/${from}/items?limit=${limit}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { features } = (await answer.json()) as { features: { id: string }[] };
    return features.map(({ id }) => ({ collectionId: from, itemId: id }));
  }

  async function open(refs: { collectionId: string; itemId: string }[]) {
    const events: Summary[] = [];
    const close = client.selection.assets({ refs }, { onEvent: (event) => events.push(event) });
    await eventually(() => expect(events.at(-1)?.isDone).toBe(true));
    const summary = events.at(-1);
    if (!summary) throw new Error('There was no summary');
    return { summary, close };
  }

  function download(refs: ItemRef[], key: string, destination = join(root, 'Downloads')) {
    return placeOrder(client, { refs, assetKeys: [key], destination });
  }

  it('sums up the assets of items from the library, and of those only the catalog has', async () => {
    const refs = await findRefs(4);
    const fresh = await open(refs);
    expect(fresh.summary).toMatchObject({ readCount: 4, failedCount: 0 });
    const visual = fresh.summary.kinds.find(({ key }) => key === 'visual');
    expect(visual).toMatchObject({ itemCount: 4, roles: ['visual'] });
    expect(visual?.bands).toContain('red');

    const others = await askDirectly('landsat-c2l2-sr', 3);
    const gone = { collectionId, itemId: 'never-was' };
    const neither = { collectionId: 'landsat-c2l2-sr', itemId: 'neither' };
    const { summary } = await open([...refs, ...others, gone, neither]);
    expect(summary).toMatchObject({ readCount: 9, itemCount: 9, failedCount: 2 });
    expect(summary.kinds.find(({ key }) => key === 'qa_pixel')?.itemCount).toBe(3);
    // Kept: the next time nobody is asked.
    expect(await client.item.kept(others[0] ?? gone)).not.toBeNull();
    const why = new Map(summary.failed.map(({ itemId, error }) => [itemId, error.code]));
    expect(why).toEqual(
      new Map([
        ['never-was', 'stac.item-not-found'],
        ['neither', 'stac.item-not-found'],
      ]),
    );
    expect(summary.kinds.find(({ key }) => key === 'visual')?.itemCount).toBe(4);
  });

  it('totals a rule, and forgets the selection when nobody looks', async () => {
    const { summary, close } = await open(await findRefs(3));
    const { selectionId } = summary;
    const rule = { ...noAssets, keys: ['visual'], roles: ['metadata'] };
    const total = await client.selection.total({ selectionId, rule });
    expect(total.itemCount).toBe(3);
    expect(total.fileCount).toBeGreaterThan(3);
    expect(total.chosenKeys).toContain('visual');
    expect((await client.selection.total({ selectionId, rule: noAssets })).fileCount).toBe(0);
    close();
    await eventually(() =>
      expect(client.selection.total({ selectionId, rule })).rejects.toMatchObject({ code: 'input.invalid' }),
    );
  });

  it('queues the assets of many items, and offers the same the next time', async () => {
    const refs = await findRefs(5);
    const first = await open(refs);
    expect(first.summary.lastRule).toBeNull();
    const key = first.summary.kinds.find(({ roles }) => roles.includes('thumbnail'))?.key ?? '';
    const progress = await download(refs, key);
    expect(progress).toMatchObject({ doneItemCount: 5, fileCount: 5, problemCount: 0 });
    const seen = new Set<string>();
    client.downloads.watch(
      {},
      {
        onEvent: ({ changed }) =>
          changed.forEach(({ itemId, assetKey }) => seen.add(`${itemId} ${assetKey}`)),
      },
    );
    await eventually(() => expect(seen).toEqual(new Set(refs.map(({ itemId }) => `${itemId} ${key}`))));
    const second = await open(refs.slice(0, 1));
    expect(second.summary.lastRule).toEqual({ ...noAssets, keys: [key] });
  });

  it('queues nothing into a folder that isn’t there', async () => {
    await expect(download(await findRefs(2), 'visual', join(root, 'gone'))).rejects.toMatchObject({
      code: 'transfer.destination-missing',
    });
  });

  it('leaves nothing behind of an order that is given up', async () => {
    const refs = await findRefs(40);
    const order = { refs, assetKeys: ['visual'], destination: join(root, 'Downloads') };
    const isQueued: boolean[] = [];
    const stop = client.downloads.order(toOrderInput(order), {
      onEvent: (event) => isQueued.push(event.isQueued),
    });
    stop();
    // Orders are placed one after the other: when this one is, that one is over.
    await download(refs, 'thumbnail');
    const events: { changed: { assetKey: string }[] }[] = [];
    client.downloads.watch({}, { onEvent: (event) => events.push(event) });
    await eventually(() => expect(events.length).toBeGreaterThan(0));
    expect(new Set(events[0]?.changed.map(({ assetKey }) => assetKey))).toEqual(new Set(['thumbnail']));
    expect(isQueued).toEqual([]);
  });

  it('mints a signed link that opens the file without a token, and logs nothing of it', async () => {
    const [ref] = await findRefs(1);
    if (!ref) throw new Error('The demo catalog has no such item');
    const link = await client.item.signedLink({ ...ref, assetKey: 'thumbnail' });
    expect(link.kind).toBe('signed');
    expect(link.leftSeconds).toBeGreaterThan(0);
    expect(Date.parse(link.expiresAt ?? '')).toBeGreaterThan(Date.now());
    const answer = await fetch(link.href);
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    const proxy = await client.item.proxyLink({ ...ref, assetKey: 'thumbnail' });
    expect((await fetch(proxy.href, { redirect: 'manual' })).status).toBe(401);
    const allowed = await fetch(proxy.href, {
      redirect: 'manual',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(allowed.status).toBe(307);
    const signature = new URL(link.href).search.slice(-20);
    expect(readLog()).not.toContain(signature);
    await expect(client.item.signedLink({ ...ref, assetKey: 'nothing' })).rejects.toMatchObject({
      code: 'stac.asset-not-found',
    });
  });
});
