import { readItem } from '#shared/stac/item.ts';
import { toItemRow } from '#shared/stac/item-row.ts';
import type { Bench } from './bench.ts';
import { noRecordedPage, readRecordedPage } from './recorded-page.ts';

const rowCount = 10_000;

/** What 10,000 results weigh on their way to the window, against the Items whole; both made of recorded ones. */
export const rowsBytes: Bench = {
  name: 'rows-10000',
  unit: 'MB',
  target: { limit: 6 },
  prepare() {
    const page = readRecordedPage();
    if (!page) return Promise.resolve(noRecordedPage);
    const { features } = JSON.parse(page.toString()) as { features: unknown[] };
    const readings = features.map((feature) => readItem(feature)).filter((reading) => 'item' in reading);
    const scale = rowCount / readings.length;
    return Promise.resolve({
      rounds: 1,
      ours: () => scale * sizeMb(readings.map(toItemRow)),
      reference: () => scale * sizeMb(readings.map(({ item }) => item)),
    });
  },
};

function sizeMb(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) / 1e6;
}
