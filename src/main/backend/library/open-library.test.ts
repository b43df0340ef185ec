import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bbox } from '#shared/stac/bbox.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { openLibrary } from './open-library.ts';

let folder: string;
let filePath: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-library-'));
  filePath = join(folder, 'library.sqlite');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ref = { collectionId: 'earth:carbon:v2.1', itemId: 'a/b' };
const signed = 'https://bucket.example/a.tif?AWSAccessKeyId=AKIA&Signature=c2VjcmV0&Expires=1';

function anItem(members: Record<string, unknown> = {}): IdentifiedItem {
  return {
    ref,
    item: {
      id: 'a/b',
      collection: ref.collectionId,
      properties: null,
      custom: { kept: [1.5, null] },
      ...members,
    },
  };
}

describe('library', () => {
  it('gives an item back exactly as it came, after the file was closed', async () => {
    const library = openLibrary({ filePath });
    await library.saveItems([anItem()], 1234);
    await library.close();
    const reopened = openLibrary({ filePath });
    expect(reopened.item(ref)).toEqual({ value: anItem(), fetchedAtMs: 1234 });
    await reopened.close();
  });

  it('replaces an item that is seen again', async () => {
    const library = openLibrary({ filePath });
    await library.saveItems([anItem({ bbox: [0, 0, 1, 1] })], 1);
    await library.saveItems([anItem({ bbox: [50, 0, 51, 1] })], 2);
    expect(library.countItems()).toBe(1);
    expect((await library.engine.search({ bbox: [0, 0, 2, 2] }, { limit: 10 })).items).toEqual([]);
    expect((await library.engine.search({ bbox: [50, 0, 52, 2] }, { limit: 10 })).items).toHaveLength(1);
    await library.close();
  });

  it.each([
    ['south above north', [10, 10, -10, -10], [1, 2]],
    ['beyond the antimeridian in the east', [190, 1, -170, 3], [-175, 2]],
    ['beyond the antimeridian in the west', [170, 1, -190, 3], [175, 2]],
  ])('takes an item whose box is odd, and those beside it: %s', async (_name, bbox, [x = 0, y = 0]) => {
    const library = openLibrary({ filePath });
    const geometry = { type: 'Point', coordinates: [1, 2] };
    const other = { ...anItem(), ref: { ...ref, itemId: 'other' } };
    await library.saveItems([anItem({ bbox, geometry }), other], 1);
    expect(library.countItems()).toBe(2);
    const around: Bbox = [x - 1, y - 1, x + 1, y + 1];
    expect((await library.engine.search({ bbox: [...around] }, { limit: 10 })).items).toHaveLength(1);
    await library.close();
  });

  it('never stores a signed link', async () => {
    const library = openLibrary({ filePath });
    const alternate = { download: { href: signed }, s3: { href: 's3://bucket/a.tif' } };
    await library.saveItems(
      [
        anItem({
          assets: {
            visual: { href: signed, alternate },
            plain: { href: 'a.tif', alternate: { download: { href: signed } } },
          },
        }),
      ],
      1,
    );
    expect(library.item(ref)?.value.item['assets']).toEqual({
      visual: { href: 'https://bucket.example/a.tif', alternate: { s3: { href: 's3://bucket/a.tif' } } },
      plain: { href: 'a.tif' },
    });
    await library.close();
    expect(readFileSync(filePath).includes('c2VjcmV0')).toBe(false);
  });

  it('keeps collections in the catalog order, queryables whatever the order of ids, and pictures', async () => {
    const library = openLibrary({ filePath });
    expect([library.collections(), library.queryables(['a']), library.thumbnail(ref)]).toEqual([
      null,
      null,
      null,
    ]);
    await library.saveItems([anItem()], 1);
    await library.saveCollections([{ id: 'z' }, { id: 'a', title: null }], 5);
    await library.saveCollections([{ id: 'y' }, { id: 'a', title: null }], 6);
    await library.saveQueryables(['b', 'a'], { properties: {} }, 7);
    await library.saveThumbnail(ref, { mediaType: 'image/png', bytes: Buffer.from([1, 2]) }, 8);
    expect(library.collections()).toEqual({ value: [{ id: 'y' }, { id: 'a', title: null }], fetchedAtMs: 6 });
    expect(library.queryables(['a', 'b'])).toEqual({ value: { properties: {} }, fetchedAtMs: 7 });
    expect(library.thumbnail(ref)).toEqual({
      value: { mediaType: 'image/png', bytes: Buffer.from([1, 2]) },
      fetchedAtMs: 8,
    });
    await library.close();
  });

  it('joins what two questions asked of one item, until the whole one comes', async () => {
    const library = openLibrary({ filePath });
    const partial = (properties: object) => ({
      ref,
      item: { id: ref.itemId, properties: { ...properties } },
      isPartial: true,
    });
    await library.saveItems([partial({ platform: 'x', datetime: null })], 1);
    await library.saveItems([partial({ 'eo:cloud_cover': 7 })], 2);
    expect(library.item(ref)).toMatchObject({
      value: { isPartial: true, item: { properties: { platform: 'x', 'eo:cloud_cover': 7 } } },
    });
    await library.saveItems([anItem()], 3);
    await library.saveItems([partial({ platform: 'y' })], 4);
    expect(library.item(ref)).toEqual({ value: anItem(), fetchedAtMs: 3 });
    await library.close();
  });

  it('records a search page by page in the order of the catalog', async () => {
    const library = openLibrary({ filePath });
    await library.saveItems([anItem()], 1);
    const page = {
      items: [ref, { collectionId: 'x', itemId: 'unknown' }],
      leftOutCount: 0,
      matched: 2,
      isComplete: false,
    };
    const query = { limit: 10 };
    const run = {
      searchNumber: await library.saveSearch({ query, localFilter: null, ...page }, 1),
      query,
      fetchedAtMs: 1,
    };
    const last = { items: [ref], leftOutCount: 0, matched: 2, isComplete: true };
    expect(await library.extendSearch(run, last)).toBe(true);
    await library.close();
    const database = new Database(filePath, { readonly: true });
    expect(database.prepare('SELECT is_complete, matched FROM search').all()).toEqual([
      { is_complete: 1, matched: 2 },
    ]);
    expect(database.prepare('SELECT position, item_pk FROM search_item ORDER BY position').all()).toEqual([
      { position: 0, item_pk: 1 },
      { position: 1, item_pk: 1 },
    ]);
    database.close();
  });

  it('adds no page to another search that has the number of one that is gone', async () => {
    const library = openLibrary({ filePath });
    await library.saveItems([anItem()], 1);
    const page = { items: [ref], leftOutCount: 0, matched: 5, isComplete: false };
    const query = { limit: 10 };
    const searchNumber = await library.saveSearch({ query, localFilter: null, ...page }, 1);
    const last = { ...page, isComplete: true };
    for (const gone of [
      { query: { collections: ['other'] }, fetchedAtMs: 1 },
      { query, fetchedAtMs: 2 },
    ]) {
      expect(await library.extendSearch({ searchNumber, ...gone }, last)).toBe(false);
    }
    expect(library.pastSearch(searchNumber)).toMatchObject({ count: 1, isComplete: false });
    // One that was forgotten can be taken back whole.
    await library.forgetSearch(searchNumber);
    expect(await library.extendSearch({ searchNumber, query, fetchedAtMs: 1 }, last)).toBe(true);
    await library.takeSearchBack(searchNumber);
    expect(library.pastSearch(searchNumber)).toMatchObject({ count: 2, isComplete: true });
    await library.close();
  });

  it('lets a search be taken back while other programs come and go, until the one that forgot it ends', async () => {
    const library = openLibrary({ filePath });
    const nothing = { items: [], leftOutCount: 0, matched: 0, isComplete: true };
    const number = await library.saveSearch({ query: {}, localFilter: null, ...nothing }, 1);
    await library.forgetSearch(number);
    const other = openLibrary({ filePath });
    await other.settle();
    await other.saveCollections([{ id: 'x' }], 1);
    expect(await library.takeSearchBack(number)).toBe(true);
    await library.forgetSearch(number);
    await other.close();
    await library.close();
    const database = new Database(filePath);
    expect(database.prepare('SELECT count(*) FROM search').pluck().get()).toBe(0);
    // As a program left it that was killed, and an earlier version of Swath.
    for (const key of ['forgotten 0999999999 {}', 'forgotten {}']) {
      database
        .prepare(`INSERT INTO search (query_key, query, is_complete, fetched_at_ms) VALUES (?, '{}', 1, 1)`)
        .run(key);
    }
    database.close();
    const next = openLibrary({ filePath });
    await next.saveCollections([{ id: 'x' }], 2);
    const left = new Database(filePath, { readonly: true });
    expect(left.prepare('SELECT query_key FROM search').pluck().all()).toEqual([]);
    left.close();
    await next.close();
  });

  it('refuses a file of a newer program without touching it', async () => {
    await openLibrary({ filePath }).close();
    const database = new Database(filePath);
    database.pragma('user_version = 999');
    database.close();
    const before = readFileSync(filePath);
    expect(() => openLibrary({ filePath })).toThrow(
      expect.objectContaining({ code: 'library.newer-schema' }),
    );
    expect(readFileSync(filePath).equals(before)).toBe(true);
  });

  it('says so when the file is no library', () => {
    writeFileSync(filePath, 'not a database, but long enough to be looked at as one'.repeat(40));
    expect(() => openLibrary({ filePath })).toThrow(expect.objectContaining({ code: 'library.corrupt' }));
    new Database(join(folder, 'other.sqlite')).exec('CREATE TABLE t (x); PRAGMA user_version = 3').close();
    expect(() => openLibrary({ filePath: join(folder, 'other.sqlite') })).toThrow(
      expect.objectContaining({ code: 'library.corrupt' }),
    );
  });
});
