import type { Bench } from './bench.ts';
import { ingestEventLoop, ingestMemory, libraryIngest, librarySize, libraryText } from './library-ingest.ts';
import {
  downloadCapped,
  downloadLoad,
  downloadOne,
  downloadSmallFiles,
  downloadVerified,
} from './downloads/download-benches.ts';
import { downloadSlots, downloadStart } from './downloads/download-start.ts';
import { duckDbCount, duckDbPages } from './duckdb-pages.ts';
import { libraryFacets } from './library-facets.ts';
import { libraryPage } from './library-page.ts';
import { libraryPages } from './library-pages.ts';
import { libraryCount, libraryProperty } from './library-property.ts';
import { libraryMemory, libraryStart } from './library-start.ts';
import { mapHit } from './map-hit.ts';
import { rowsBytes } from './rows-bytes.ts';
import { searchPage } from './search-page.ts';
import { createMapPan } from './window/map-pan.ts';
import { searchPaint } from './window/search-paint.ts';

/** All of them, in the order in which they are run. */
export const benches: readonly Bench[] = [
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
  ingestMemory,
  librarySize,
  libraryText,
  ...downloadOne,
  downloadVerified,
  ...downloadSmallFiles,
  ...downloadCapped,
  ...downloadLoad,
  downloadStart,
  downloadSlots,
];
