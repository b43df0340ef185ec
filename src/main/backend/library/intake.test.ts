import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { openLibrary } from './open-library.ts';
import { Intake } from './intake.ts';
import { ItemPacker } from './item-packer.ts';
import type { Library } from './library.ts';
import { openDatabase } from './open-database.ts';

function openHere(): { library: Library; reopen: () => Promise<Library> } {
  const folder = mkdtempSync(join(tmpdir(), 'swath-intake-'));
  const filePath = join(folder, 'library.sqlite');
  let library = openLibrary({ filePath });
  onTestFinished(async () => {
    await library.close();
    rmSync(folder, { recursive: true });
  });
  return {
    library,
    reopen: async () => {
      await library.close();
      return (library = openLibrary({ filePath }));
    },
  };
}

function anItem(itemId: string, members: Record<string, unknown> = {}): IdentifiedItem {
  const ref = { collectionId: 'c', itemId };
  return { ref, item: { id: itemId, collection: 'c', ...members } };
}

const items = Array.from({ length: 130 }, (_, number) => anItem(`i${String(number)}`));
const ref = { collectionId: 'c', itemId: 'i129' };

function takeIn(library: Library, taken: readonly IdentifiedItem[], fetchedAtMs = 1): Promise<void> {
  return library.takeIn({
    items: taken,
    fetchedAtMs,
    onKept: () => undefined,
    onFailure: (thrown) => {
      throw thrown;
    },
  });
}

it('finds an item at once, without its signed links, and keeps what the library had whole', async () => {
  const { library } = openHere();
  const href = 'https://bucket.example/a.tif?AWSAccessKeyId=AKIA&Signature=c2VjcmV0&Expires=1';
  await library.saveItems([anItem('whole')], 1);
  void takeIn(library, [
    anItem('a', { assets: { a: { href } } }),
    { ...anItem('whole', { properties: {} }), isPartial: true },
  ]);
  const found = library.item({ collectionId: 'c', itemId: 'a' })?.value.item;
  expect(found?.['assets']).toEqual({ a: { href: 'https://bucket.example/a.tif' } });
  expect(library.item({ collectionId: 'c', itemId: 'whole' })?.value).toEqual(anItem('whole'));
});

it('has all that it took in when it is opened again', async () => {
  const { library, reopen } = openHere();
  void takeIn(library, items);
  expect((await reopen()).countItems()).toBe(items.length);
});

it('writes page after page, others having their turn between', async () => {
  const { library } = openHere();
  const first = takeIn(library, items);
  const second = takeIn(library, [anItem('last')]);
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  await first;
  expect(turns).toBeGreaterThan(0);
  expect(library.countItems()).toBeGreaterThanOrEqual(items.length);
  await second;
  clearInterval(count);
  expect(library.countItems()).toBe(items.length + 1);
});

it('never puts what is older over what is newer', async () => {
  const { library } = openHere();
  const older = takeIn(library, items, 1);
  await library.saveItems([anItem('i129', { properties: { platform: 'newer' } })], 2);
  await older;
  expect(library.item(ref)).toMatchObject({
    value: { item: { properties: { platform: 'newer' } } },
    fetchedAtMs: 2,
  });
});

it('keeps a picture that came before its item was written', async () => {
  const { library } = openHere();
  const taken = takeIn(library, items);
  await library.saveThumbnail(ref, { mediaType: 'image/png', bytes: Buffer.from('picture') }, 3);
  await taken;
  expect(library.thumbnail(ref)?.value.bytes.toString()).toBe('picture');
});

it('says of a page that it could not be kept, and goes on with the next', async () => {
  const { library } = openHere();
  const failures: unknown[] = [];
  const onKept = (): never => {
    throw new Error('disk full');
  };
  const failing = library.takeIn({
    items: [],
    fetchedAtMs: 1,
    onKept,
    onFailure: (thrown) => failures.push(thrown),
  });
  await takeIn(library, items);
  await failing;
  expect([failures.length, library.countItems()]).toEqual([1, items.length]);
});

it('tells a page that it could not be written, though the page before it is still being finished', async () => {
  const finished = Promise.withResolvers<undefined>();
  const packing = Promise.withResolvers<undefined>();
  const told: string[] = [];
  const intake = new Intake({
    pack: () => {
      setImmediate(() => packing.resolve(undefined));
      throw new Error('no room');
    },
    commit: () => Promise.resolve(),
  });
  const onFailure = (thrown: unknown): void => void told.push((thrown as Error).message);
  const first = intake.add({ items: [], fetchedAtMs: 1, onKept: () => finished.promise, onFailure });
  const second = intake.add({ items: [anItem('b')], fetchedAtMs: 1, onKept: () => undefined, onFailure });
  await packing.promise;
  finished.resolve(undefined);
  await Promise.all([first, second]);
  expect(told).toEqual(['no room']);
});

it('finds items that are packed, and not written yet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-intake-'));
  const database = openDatabase(join(folder, 'library.sqlite'));
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  const packer = new ItemPacker(database);
  const [handedOver, written] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const intake = new Intake({
    pack: (some, fetchedAtMs) => packer.pack(some, fetchedAtMs),
    commit: () => {
      handedOver.resolve(undefined);
      return written.promise;
    },
  });
  const signed = 'https://bucket.example/a.tif?AWSAccessKeyId=AKIA&Signature=c2VjcmV0&Expires=1';
  const page = [
    ...items,
    anItem('signed', { assets: { a: { href: signed } } }),
    { ...anItem('partial', { properties: { title: 'Cut' } }), isPartial: true },
  ];
  const kept = intake.add({
    items: page,
    fetchedAtMs: 7,
    onKept: () => undefined,
    onFailure: () => undefined,
  });
  await handedOver.promise;
  const find = (itemId: string) => intake.findWaiting({ collectionId: 'c', itemId });
  expect(find('i129')).toEqual([{ value: items[129], fetchedAtMs: 7 }]);
  expect(find('partial')).toEqual([{ value: page.at(-1), fetchedAtMs: 7 }]);
  const clean = { a: { href: 'https://bucket.example/a.tif' } };
  expect(find('signed')[0]?.value.item['assets']).toEqual(clean);
  written.resolve(undefined);
  await kept;
  expect(find('i129')).toEqual([]);
});

it('writes the end of a stream of pages, though no further one makes it full', async () => {
  const { library, reopen } = openHere();
  const pages = Array.from({ length: 45 }, (_, page) =>
    Array.from({ length: 10 }, (_one, number) => anItem(`i${String(page)}-${String(number)}`)),
  );
  await Promise.all(pages.map((page) => takeIn(library, page)));
  expect(library.countItems()).toBe(450);
  expect((await reopen()).item({ collectionId: 'c', itemId: 'i44-9' })?.value).toEqual(anItem('i44-9'));
});

it('finds an item that comes twice at once where it was last', async () => {
  const { library } = openHere();
  const at = (west: number) => anItem('moved', { bbox: [west, 10, west + 1, 11] });
  // Across the antimeridian it is in two places.
  const across = anItem('moved', { bbox: [179, 10, -179, 11] });
  await library.saveItems([across, at(50)], 1);
  const find = async (bbox: [number, number, number, number]) =>
    (await library.engine.search({ bbox }, { limit: 5 })).items.map(({ item }) => item.id);
  expect(await find([50, 10, 51, 11])).toEqual(['moved']);
  expect(await find([-180, 10, -178, 11])).toEqual([]);
  expect(await find([178, 10, 180, 11])).toEqual([]);
  await library.saveItems([at(20), across], 2);
  expect(await find([-180, 10, -178, 11])).toEqual(['moved']);
  expect(await find([20, 10, 21, 11])).toEqual([]);
});
