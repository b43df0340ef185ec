import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { readItem } from '#shared/stac/item.ts';
import { toItemRow } from '#shared/stac/item-row.ts';
import type { Bench } from './bench.ts';

const cassette =
  '../shared/fixtures/stac-utils__pystac-client/tests/cassettes/test_cli/TestCLISearch.test_intersects_despite_warning[inprocess].yaml';

interface Cassette {
  interactions: { response: { body: { string: string | Uint8Array } } }[];
}

/** A recorded page from its bytes to rows that are ready for the window, against `JSON.parse` of the same bytes. */
export const searchPage: Bench = {
  name: 'search-page',
  unit: 'ms',
  targetRatio: 2,
  prepare() {
    const page = readLargestPage();
    if (!page) return Promise.resolve({ unavailable: 'the recorded answers are not here' });
    return Promise.resolve({
      rounds: 30,
      ours: () => {
        const { features } = JSON.parse(page.toString()) as { features: unknown[] };
        const rows = features.flatMap((feature) => {
          const reading = readItem(feature);
          return 'item' in reading ? [toItemRow(reading)] : [];
        });
        JSON.stringify(rows);
      },
      reference: () => void JSON.parse(page.toString()),
    });
  },
};

function readLargestPage(): Buffer | null {
  if (!existsSync(cassette)) return null;
  const { interactions } = parse(readFileSync(cassette, 'utf8')) as Cassette;
  const bodies = interactions.map(({ response }) => toText(response.body.string));
  return bodies.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

function toText(body: string | Uint8Array): Buffer {
  const bytes = Buffer.from(body as string);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}
