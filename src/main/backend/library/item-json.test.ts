import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRandom } from '#shared/testing/seeded-random.ts';
import { packText, shapesOf, unpackItem } from './item-json.ts';
import { openLibrary } from './open-library.ts';
import { makeFolder, withFile } from './upkeep/testing/fill-library.ts';
import { anItem } from './upkeep/testing/make-items.ts';

it('reads an item as it was, or says that it is damaged, whichever bit of it has changed', async () => {
  const filePath = join(makeFolder(), 'library.sqlite');
  const library = openLibrary({ filePath });
  const random = createRandom(5);
  const text = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(33 + Math.floor(random() * 90))).join('');
  const shared = text(6000);
  const items = [text(3), text(40), text(2500)].map((note, number) => {
    const one = anItem('c', number);
    return { ...one, item: { ...one.item, properties: { shared, note } } };
  });
  await library.saveItems(items, 1000);
  await library.close();
  withFile(filePath, (database) => {
    const rows = database.prepare<[], Buffer>('SELECT zstd FROM item_json').pluck().all();
    const small = anItem('c', 9).item;
    const wholes = [...items.map(({ item }) => item), small];
    const shapes = shapesOf(database);
    for (const [index, row] of [...rows, packText(JSON.stringify(small))].entries()) {
      const whole = wholes[index];
      expect(unpackItem(row, shapes)).toEqual(whole);
      const outcomes = Array.from({ length: row.length * 8 }, (_, bit) => {
        const flipped = Buffer.from(row);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        return read(() => unpackItem(flipped, shapes));
      });
      const wrong = outcomes.filter((one) => one !== 'library.corrupt' && one !== JSON.stringify(whole));
      expect(wrong).toEqual([]);
    }
  });
});

function read(unpack: () => unknown): unknown {
  try {
    return JSON.stringify(unpack());
  } catch (thrown) {
    return (thrown as { code?: unknown }).code ?? thrown;
  }
}
