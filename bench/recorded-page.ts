import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';

const cassette =
  '../shared/fixtures/stac-utils__pystac-client/tests/cassettes/test_cli/TestCLISearch.test_intersects_despite_warning[inprocess].yaml';

interface Cassette {
  interactions: { response: { body: { string: string | Uint8Array } } }[];
}

/** Said where the recorded answers are missing. */
export const noRecordedPage = { unavailable: 'the recorded answers are not here' };

/** The largest recorded answer to a search, 250 Landsat Items; null where there are no recordings. */
export function readRecordedPage(): Buffer | null {
  if (!existsSync(cassette)) return null;
  const { interactions } = parse(readFileSync(cassette, 'utf8')) as Cassette;
  const bodies = interactions.map(({ response }) => toText(response.body.string));
  return bodies.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

function toText(body: string | Uint8Array): Buffer {
  const bytes = Buffer.from(body as string);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}
