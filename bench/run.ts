import { measure, type BenchResult } from './bench.ts';
import { ingestEventLoop, libraryIngest, librarySize, libraryText } from './library-ingest.ts';
import {
  downloadCapped,
  downloadLoad,
  downloadOne,
  downloadSmallFiles,
} from './downloads/download-benches.ts';
import { downloadStart } from './downloads/download-start.ts';
import { duckDbCount, duckDbPages } from './duckdb-pages.ts';
import { libraryFacets } from './library-facets.ts';
import { libraryPage } from './library-page.ts';
import { libraryPages } from './library-pages.ts';
import { libraryCount, libraryProperty } from './library-property.ts';
import { libraryMemory, libraryStart } from './library-start.ts';
import { mapHit } from './map-hit.ts';
import { boundYoungGeneration } from '../src/main/host/bound-young-generation.ts';
import { removeMillionLibrary } from './million-library.ts';
import { rowsBytes } from './rows-bytes.ts';
import { searchPage } from './search-page.ts';
import { createMapPan } from './window/map-pan.ts';
import { searchPaint } from './window/search-paint.ts';

const benches = [
  searchPage,
  libraryPage,
  rowsBytes,
  mapHit,
  searchPaint,
  createMapPan(10_000, 33),
  createMapPan(50_000, 50),
  ...libraryPages,
  libraryProperty,
  libraryCount,
  libraryStart,
  libraryMemory,
  ...duckDbPages,
  duckDbCount,
  libraryFacets,
  libraryIngest,
  ...ingestEventLoop,
  librarySize,
  libraryText,
  ...downloadOne,
  ...downloadSmallFiles,
  ...downloadCapped,
  ...downloadLoad,
  downloadStart,
];
// As the program itself begins.
boundYoungGeneration();
const isJson = process.argv.includes('--json');
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
// Several lines of one bench are asked for by what stands before the colon.
const isMeant = (bench: string, name: string) => bench === name || bench.startsWith(`${name}:`);
const unknown = names.filter((name) => !benches.some((bench) => isMeant(bench.name, name)));
if (unknown.length > 0) {
  console.error(
    `No such bench: ${unknown.join(', ')}. There are: ${benches.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}

const results: BenchResult[] = [];
for (const bench of benches.filter(
  ({ name }) => names.length === 0 || names.some((asked) => isMeant(name, asked)),
)) {
  const { note, ...result } = await measure(bench);
  results.push(result);
  if (!isJson) console.log(toLine(result, 'limit' in bench.target, note));
  else if (note) console.error(`${result.name}: ${note}`);
}
await removeMillionLibrary();
if (isJson) console.log(JSON.stringify(results));
process.exitCode = results.some(({ met }) => met === false) ? 1 : 0;

function toLine(result: BenchResult, hasLimit: boolean, note: string): string {
  const { name, ours, reference, ratio, target, met, unit } = result;
  if (ours === null || reference === null || ratio === null) return `${name}: not measured (${note})`;
  const verdict = met ? 'met' : 'NOT met';
  const goal = hasLimit ? `ours ≤ ${target} ${unit}` : `ratio ≤ ${target}`;
  return `${name}: ours ${ours.toFixed(2)} ${unit}, reference ${reference.toFixed(2)} ${unit}, ratio ${ratio.toFixed(2)}, target ${goal}: ${verdict}`;
}
