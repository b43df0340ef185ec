import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { noAssets } from '#shared/selection/asset-rule.ts';
import type { RuleTerms } from '#shared/transfer/download-rule.ts';
import { systemClock, type Clock } from '../ports.ts';
import { openWindow, pagesOf, type TestItem, type TestWindow } from './testing/open-window.ts';

/** An item of two files of a megabyte each. */
function scene(id: string): TestItem {
  const asset = { href: `https://files.example/${id}.tif`, type: 'image/tiff', 'file:size': 1_000_000 };
  return {
    id,
    properties: {},
    assets: { red: asset, nir: asset, thumb: { href: 'https://files.example/t.png' } },
  };
}

/** A window whose queue stands still, on a catalog of one page that can gain items, newest first. */
async function openGrowing(...ids: string[]) {
  let items = ids;
  const ruled = await openRuled(() => [items.map(scene)]);
  return { ...ruled, gain: (...more: string[]) => (items = [...more, ...items]) };
}

/** The same on a catalog of several pages. */
async function openRuled(pages: () => TestItem[][], options: { clock?: Clock } = {}) {
  const window = await openWindow(pagesOf(pages), options);
  await window.client.downloads.pauseQueue({});
  const question = { query: { collections: ['c'] }, localFilter: null, maxItems: null };
  const { savedSearchId } = await window.client.saved.save({ name: 'Fields', question, shown: null });
  const destination = mkdtempSync(join(tmpdir(), 'swath-rule-'));
  onTestFinished(() => rmSync(destination, { recursive: true, force: true }));
  const terms: RuleTerms = {
    choice: { ...noAssets, keys: ['red', 'nir'] },
    destination,
    links: 'auto',
    maxFiles: 100,
    maxBytes: null,
    everyHours: null,
  };
  return {
    window,
    savedSearchId,
    make: async (changes: Partial<RuleTerms> = {}, includesPresent = false) => {
      await window.client.rules.save({ savedSearchId, ...terms, ...changes, includesPresent });
      await settle(window);
    },
    run: () => window.client.rules.run({ savedSearchId }),
  };
}

/** The rules as the window lists them, when none runs. */
function settle({ client }: TestWindow) {
  type Event = Parameters<Parameters<typeof client.rules.watch>[1]['onEvent']>[0];
  return new Promise<Event['rules']>((resolve) => {
    const stop = client.rules.watch(
      {},
      {
        onEvent: ({ rules, runningId }) => {
          if (runningId !== null || rules.some(({ lastRun }) => lastRun === null)) return;
          stop();
          resolve(rules);
        },
      },
    );
  });
}

/** What the queue has, by item and asset, and the orders. */
function queueOf({ client }: TestWindow) {
  return new Promise<{ files: string[]; origins: unknown[] }>((resolve) => {
    const files: string[] = [];
    const stop = client.downloads.watch(
      {},
      {
        onEvent: ({ changed, orders, isComplete }) => {
          files.push(...changed.map(({ itemId, assetKey }) => `${itemId} ${assetKey}`));
          if (!isComplete) return;
          stop();
          resolve({ files: files.toSorted(), origins: (orders ?? []).map(({ origin }) => origin) });
        },
      },
    );
  });
}

it('orders what is new after it was made, once', async () => {
  const { window, gain, make, run } = await openGrowing('b', 'a');
  await make();
  expect(await settle(window)).toMatchObject([{ isOn: true, lastRun: { isFirst: true, itemCount: 2 } }]);
  expect(await run()).toMatchObject({ isFirst: false, itemCount: 0, downloadId: null });
  gain('d', 'c');
  expect(await run()).toMatchObject({ itemCount: 2, fileCount: 4, knownBytes: 4_000_000, error: null });
  expect(await queueOf(window)).toEqual({
    files: ['c nir', 'c red', 'd nir', 'd red'],
    origins: [{ kind: 'rule', name: 'Fields' }],
  });
  // Taken off the list by a person: it is not wanted again.
  await window.client.downloads.cancel({});
  await window.client.downloads.remove({});
  expect(await run()).toMatchObject({ itemCount: 0, fileCount: 0 });
  await window.restart();
  expect(await run()).toMatchObject({ itemCount: 0, fileCount: 0 });
});

it('orders what was published late behind a page that it knows', async () => {
  const taken = (id: string, datetime: string): TestItem => ({ ...scene(id), properties: { datetime } });
  const [june, may] = [taken('june', '2026-06-19T00:00:00Z'), taken('may', '2026-05-25T00:00:00Z')];
  let pages = [[june], [may]];
  const clock = { ...systemClock, now: () => Date.parse('2026-06-20T00:00:00Z') };
  const { make, run } = await openRuled(() => pages, { clock });
  await make();
  pages = [[june], [may, taken('late', '2026-05-24T00:00:00Z')]];
  expect(await run()).toMatchObject({ itemCount: 1, fileCount: 2 });
});

it('orders what is there too where that is wanted, within its limits, the oldest first', async () => {
  const { window, make, run } = await openGrowing('c', 'b', 'a');
  await make({ maxFiles: 3 }, true);
  expect((await settle(window))[0]?.lastRun).toMatchObject({ itemCount: 3, fileCount: 2, leftCount: 2 });
  expect((await queueOf(window)).files).toEqual(['a nir', 'a red']);
  expect(await run()).toMatchObject({ fileCount: 2, leftCount: 1 });
  expect(await run()).toMatchObject({ fileCount: 2, leftCount: 0 });
  expect(await run()).toMatchObject({ itemCount: 0 });
  expect((await queueOf(window)).files).toHaveLength(6);
});

it('never orders an item that alone is more than it may', async () => {
  const { make, window } = await openGrowing('a');
  await make({ maxBytes: 1_500_000 }, true);
  expect((await settle(window))[0]?.lastRun).toMatchObject({ fileCount: 0, tooLargeCount: 1, leftCount: 0 });
});

it('looks again at an item that was too large, once its limits are raised', async () => {
  const { window, make, run } = await openGrowing('a');
  await make({ maxBytes: 1_500_000 }, true);
  expect(await run()).toMatchObject({ fileCount: 0, tooLargeCount: 1 });
  await make({ maxBytes: 2_000_000 });
  expect(await run()).toMatchObject({ itemCount: 0, tooLargeCount: 0 });
  expect((await queueOf(window)).files).toEqual(['a nir', 'a red']);
});

it('waits for the assets of an item that has none yet, as long as catalogs publish late', async () => {
  const taken = (id: string, datetime: string): TestItem => ({ ...scene(id), properties: { datetime } });
  const [young, old] = [taken('young', '2026-06-19T00:00:00Z'), taken('old', '2026-01-01T00:00:00Z')];
  let pages: TestItem[][] = [[young, old].map((one) => ({ ...one, assets: {} }))];
  const clock = { ...systemClock, now: () => Date.parse('2026-06-20T00:00:00Z') };
  const { window, make, run } = await openRuled(() => pages, { clock });
  await make({}, true);
  expect(await run()).toMatchObject({ itemCount: 0, fileCount: 0 });
  pages = [[young, old]];
  expect(await run()).toMatchObject({ itemCount: 1, fileCount: 2 });
  expect((await queueOf(window)).files).toEqual(['young nir', 'young red']);
});

it('orders what is published of an item after the rest of it, and nothing twice', async () => {
  const asset = { href: 'https://files.example/a.tif', type: 'image/tiff' };
  let assets: TestItem['assets'] = { red: asset };
  const { window, make, run } = await openRuled(() => [[{ ...scene('a'), assets }]]);
  await make({}, true);
  expect((await queueOf(window)).files).toEqual(['a red']);
  // A person doesn't want it after all.
  await window.client.downloads.cancel({});
  await window.client.downloads.remove({});
  assets = { red: asset, nir: { href: 'ftp://files.example/a.tif' } };
  expect(await run()).toMatchObject({ itemCount: 0, fileCount: 0 });
  assets = { red: asset, nir: asset, thumb: asset };
  expect(await run()).toMatchObject({ itemCount: 1, fileCount: 1 });
  expect(await run()).toMatchObject({ itemCount: 0, fileCount: 0 });
  expect((await queueOf(window)).files).toEqual(['a nir']);
});

it('runs when a person looks for what is new, unless it is switched off', async () => {
  const { window, savedSearchId, gain, make } = await openGrowing('a');
  await make();
  gain('b');
  await window.client.rules.switch({ savedSearchId, isOn: false });
  await window.client.saved.check({ savedSearchId });
  expect((await settle(window))[0]).toMatchObject({ isOn: false, lastRun: { isFirst: true } });
  await window.client.rules.switch({ savedSearchId, isOn: true });
  await window.client.saved.check({ savedSearchId });
  await expect.poll(async () => (await queueOf(window)).files).toEqual(['b nir', 'b red']);
});

it('says what went wrong, and begins again with the same items', async () => {
  const { window, gain, make, run } = await openGrowing('a');
  await make();
  gain('b');
  await window.cut();
  expect(await run()).toMatchObject({ fileCount: 0, error: { code: 'network.offline' } });
  expect((await settle(window))[0]?.lastRun?.error?.code).toBe('network.offline');
  await window.putBack();
  expect(await run()).toMatchObject({ itemCount: 1, fileCount: 2, error: null });
});

it('leaves what a person paused as it is', async () => {
  const { window, make, run, gain, savedSearchId } = await openGrowing('a');
  await make({}, true);
  const pausedCount = async () =>
    (await window.client.downloads.report({ downloadId: null })).waiting.filter(
      ({ state }) => state === 'paused',
    ).length;
  await window.client.downloads.pause({ states: ['queued'] });
  expect(await pausedCount()).toBe(2);
  await window.client.rules.remove({ savedSearchId });
  await make({ choice: { ...noAssets, pattern: '*' } }, true);
  gain('b');
  expect(await run()).toMatchObject({ itemCount: 1, fileCount: 3 });
  expect(await pausedCount()).toBe(2);
});
