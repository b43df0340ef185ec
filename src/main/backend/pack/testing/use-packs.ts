import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { PackChoice, PackOutcome } from '#shared/pack/pack-choice.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import { makeBytes } from '../../downloads/testing/download-harness.ts';
import { useDownloads, type DownloadsTest } from '../../downloads/testing/use-downloads.ts';
import type { Library } from '../../library/library.ts';
import { openLibrary } from '../../library/open-library.ts';
import { silentLogger, systemClock } from '../../ports.ts';
import { makeItem } from '../../service/testing/test-service.ts';
import { exportPack } from '../export-pack.ts';
import { openPack, type BroughtFiles, type OpenPackOptions } from '../open-pack.ts';

/** The file that was downloaded before. */
export const bytes = makeBytes(200_003);

/** When the Items were fetched. */
export const fetchedAtMs = Date.parse('2026-03-04T05:06:07Z');

/** What was asked. */
export const query = { collections: ['s2'], datetime: '2024-01-01T00:00:00Z/..' };

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const never = new AbortController().signal;

/** What each test of a file has: a library with a search and a downloaded file, and an empty one. */
export interface PacksTest {
  root: string;
  downloads: DownloadsTest;
  here: Library;
  there: Library;
  brought: BroughtFiles[];
  questions: [string, SavedQuestion][];
  makePack(changes?: Partial<PackChoice>): Promise<string>;
  takeIn(path: string, changes?: Partial<OpenPackOptions>): Promise<PackOutcome>;
  /** Nothing came into the other library and its folders. */
  expectUnchanged(): void;
}

/** Where a test puts the basemap `own`, if it needs it. */
export function basemapPath(root: string): string {
  return join(root, 'own.mbtiles');
}

/** Gives every test of the file two libraries and the ways between them. */
export function usePacks(): PacksTest {
  const downloads = useDownloads(bytes);
  let choice: PackChoice;
  const test = {
    downloads,
    async makePack(changes = {}) {
      const { path } = await exportPack({
        choice: { ...choice, ...changes },
        source: {
          library: test.here,
          catalog: { name: 'Test', baseUrl: 'https://user:pw@catalog.example/v1/stac?key=secret' },
          destinations: [downloads.harness.destination],
          saved: [{ name: 'Fields', question: { query, localFilter: null, maxItems: 100 } }],
          basemaps: [{ kind: 'file', id: 'own', name: 'Own map', path: basemapPath(test.root) }],
        },
        workParent: join(test.root, 'data'),
        folder: join(test.root, 'packs'),
        name: 'Norway 2026: north/south',
        swathVersion: '9.9.9',
        nowMs: Date.parse('2026-06-01T00:00:00Z'),
        onProgress: () => undefined,
        signal: never,
      });
      return path;
    },
    takeIn: (path, changes = {}) =>
      openPack({
        path,
        library: test.there,
        dataDir: join(test.root, 'data'),
        destination: join(test.root, 'out'),
        saveQuestion: (name, question) => test.questions.push([name, question]),
        onFiles: (files) => void test.brought.push(files),
        onBasemap: () => undefined,
        onProgress: () => undefined,
        nowMs: Date.now(),
        logger: silentLogger,
        signal: never,
        ...changes,
      }),
    expectUnchanged() {
      expect(test.there.countItems()).toBe(0);
      expect(test.there.pastSearches({ limit: 9 })).toEqual([]);
      expect(test.there.collections()).toBeNull();
      expect([test.brought, test.questions]).toEqual([[], []]);
      expect(readdirSync(join(test.root, 'out'))).toEqual([]);
      expect(readdirSync(join(test.root, 'data'))).toEqual([]);
    },
  } as PacksTest;

  beforeEach(async () => {
    test.root = mkdtempSync(join(tmpdir(), 'swath-pack-test-'));
    for (const folder of ['packs', 'data', 'out']) mkdirSync(join(test.root, folder));
    [test.brought, test.questions] = [[], []];
    downloads.open(
      { B04: downloads.asset('B04.tif'), far: downloads.asset('far.tif') },
      { clock: systemClock },
    );
    const { harness } = downloads;
    await harness.finish(await harness.start(['B04']));
    test.here = openLibrary({ filePath: join(test.root, 'here.sqlite') });
    test.there = openLibrary({ filePath: join(test.root, 'there.sqlite') });
    const { here } = test;
    const scene = { ref: { collectionId: 's2', itemId: 'scene' }, item: harness.item };
    const others = ['b', 'a', 'c'].map((id) => makeItem('s2', id));
    await here.saveCollections([{ id: 's2', title: 'Sentinel' }, { id: 'unused' }], fetchedAtMs);
    await here.saveQueryables(['s2'], { properties: { x: {} } }, fetchedAtMs);
    await here.saveItems([scene, ...others], fetchedAtMs);
    await here.saveItems([makeItem('s2', 'beside')], fetchedAtMs + 1000);
    await here.saveThumbnail(scene.ref, { mediaType: 'image/png', bytes: png }, fetchedAtMs);
    const items = [scene, ...others].map(({ ref }) => ref);
    const search = { query, localFilter: null, leftOutCount: 0, matched: 4, isComplete: true, items };
    choice = {
      searchNumbers: [await here.saveSearch(search, fetchedAtMs)],
      refs: [{ collectionId: 's2', itemId: 'beside' }],
      withThumbnails: true,
      withFiles: true,
      basemapId: null,
    };
  });
  afterEach(async () => {
    await test.here.close();
    await test.there.close();
    rmSync(test.root, { recursive: true, force: true });
  });
  return test;
}
