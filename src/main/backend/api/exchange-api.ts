import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import { formatExtensions } from '#shared/exchange/export-format.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { ExportSource } from '#shared/rpc/contract/exchange.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { OpenCatalog } from '../connection/catalogs.ts';
import { toSafeName } from '../downloads/output/safe-names.ts';
import { estimateExport } from '../exchange/estimate-export.ts';
import { exportFile } from '../exchange/export-file.ts';
import { itemsByQuery, itemsByRef, passing, refsOfRun, type Shortfall } from '../exchange/item-batches.ts';
import { keepImport } from '../exchange/keep-import.ts';
import { noteAge } from '../exchange/note-age.ts';
import { Uploads } from '../exchange/uploads.ts';
import type { ApiParts } from './api-parts.ts';
import { toTimestamp, tryToKeep } from './kept-answers.ts';
import { createRecentMap } from './recent-map.ts';
import type { OpenSearches } from './searches/open-searches.ts';
import { throttle } from './throttle.ts';

/** Items by which a file is judged before it is written. */
const sampleCount = 100;
const maxCounted = 20_000;

type ExchangeApi = Handlers<typeof contract>['exchange'];

/** Handlers of `exchange`. */
export function createExchangeApi(parts: ApiParts, searches: OpenSearches): ExchangeApi {
  const { ports, catalogs, folders } = parts;
  const uploads = new Uploads(join(ports.dataDir, 'imports'));
  const written = createRecentMap<string>({ maxSize: 100 });
  const open = (source: ExportSource, signal: AbortSignal) => openSource(source, { parts, searches, signal });

  return {
    estimate: async ({ source }, { signal }) => {
      const opened = open(source, signal);
      const sample: IdentifiedItem[] = [];
      for await (const items of opened.sample()) {
        sample.push(...items);
        if (sample.length >= sampleCount) break;
      }
      return { itemCount: await opened.count(), ...estimateExport(sample) };
    },
    export: async ({ source, options, destination, fileName, canReplace, asOf }, emit, { signal }) => {
      // Another catalog may be in use before the folder was looked at.
      const { library } = catalogs.current;
      const opened = open(source, signal);
      const folder = await folders.checkDestination(destination);
      const path = join(folder, toFileName(fileName, formatExtensions[options.format]));
      const tell = throttle((progress: { gatheredCount: number; writtenCount: number }) =>
        emit({ ...progress, file: null }),
      );
      const { batches, asOf: oldest } = noteAge(opened.items(), library);
      const file = await exportFile(
        batches,
        {
          path,
          canReplace,
          ...options,
          asOf: () => asOf ?? opened.asOf ?? oldest(),
          collections: opened.collections(),
        },
        { signal, onProgress: tell },
      );
      const exportId = randomUUID();
      written.set(exportId, file.path);
      emit({
        gatheredCount: file.itemCount,
        writtenCount: file.itemCount,
        file: { exportId, ...file, ...opened.shortfall },
      });
    },
    showFile: async ({ exportId }) => {
      const { desktop } = ports;
      if (!desktop.showFile) throw new AppError('host.unsupported', 'This host has no file manager');
      // The window names what was written, not a path: only files that Swath itself wrote can be shown.
      const path = written.get(exportId);
      if (path === undefined) throw new AppError('transfer.not-found', 'There is no such export');
      await desktop.showFile(path);
      return {};
    },
    beginImport: async ({ name, sizeBytes, modifiedAt }) => {
      const modifiedAtMs = modifiedAt === null ? NaN : Date.parse(modifiedAt);
      const known = Number.isFinite(modifiedAtMs) ? modifiedAtMs : null;
      return { importId: await uploads.begin({ name, sizeBytes, modifiedAtMs: known }) };
    },
    addToImport: async ({ importId, content }) => {
      await uploads.add(importId, Buffer.from(content, 'base64'));
      return {};
    },
    import: async ({ importId }, emit, { signal }) => {
      const { name, path, modifiedAtMs } = uploads.get(importId);
      const { library } = catalogs.current;
      const tell = throttle((progress: { checkedCount: number; keptCount: number }) =>
        emit({ ...progress, file: null }),
      );
      try {
        const { asOfMs, ...file } = await keepImport(
          { path, name, spoolPath: `${path}.items` },
          { library, nowMs: ports.clock.now(), modifiedAtMs, onProgress: tell, signal },
        );
        const { itemCount } = file;
        emit({ checkedCount: itemCount, keptCount: itemCount, file: { ...file, asOf: toTimestamp(asOfMs) } });
      } finally {
        await uploads.discard(importId);
      }
    },
  };
}

interface OpenedSource {
  items: () => AsyncIterable<IdentifiedItem[]>;
  /** The first of them, without asking the catalog for what is missing. */
  sample: () => AsyncIterable<IdentifiedItem[]>;
  count: () => Promise<number | null>;
  /** Of a record, when it was made; else null, and they are as old as the oldest of them. */
  asOf: string | null;
  collections: () => NonNullable<ReturnType<OpenCatalog['library']['collections']>>['value'];
  shortfall: Shortfall;
}

interface SourceContext {
  parts: ApiParts;
  searches: OpenSearches;
  signal: AbortSignal;
}

function openSource(source: ExportSource, context: SourceContext): OpenedSource {
  const { current } = context.parts.catalogs;
  const { library } = current;
  const ids = source.kind === 'collection' ? [source.collectionId] : null;
  const collections = () =>
    (library.collections()?.value ?? []).filter(({ id }) => ids === null || ids.includes(id));
  const shortfall = { missingCount: 0, partialCount: 0 };
  if (source.kind === 'collection' || source.kind === 'library') {
    const query = ids === null ? {} : { collections: ids };
    const items = () => itemsByQuery(query, { library, signal: context.signal });
    const count = () => library.engine.count(query, { maxCandidates: maxCounted, signal: context.signal });
    return { items, sample: items, count, asOf: null, collections, shortfall };
  }
  const { refs, count, asOf, filter } = findRefs(source, context);
  const read = (wanted: Iterable<{ collectionId: string; itemId: string }>) =>
    passing(itemsByRef(wanted, { source: current, shortfall, signal: context.signal, keep }), filter);
  const keep = async (items: readonly IdentifiedItem[]): Promise<void> => {
    const { clock, logger } = context.parts.ports;
    await tryToKeep(logger, () => library.saveItems(items, clock.now()));
  };
  return {
    items: () => read(refs()),
    sample: () => sampleOf(refs(), library),
    count: () => Promise.resolve(count),
    asOf,
    collections,
    shortfall,
  };
}

function findRefs(
  source: Exclude<ExportSource, { kind: 'collection' | 'library' }>,
  { parts, searches }: SourceContext,
) {
  if (source.kind === 'items') {
    return { refs: () => source.refs, count: source.refs.length, asOf: null, filter: null };
  }
  if (source.kind === 'answer') {
    const { given } = searches.get(source.searchId);
    const refs = source.places.flatMap((place) => given[place] ?? []);
    return { refs: () => refs, count: refs.length, asOf: null, filter: null };
  }
  const { library } = parts.catalogs.current;
  const past = library.pastSearch(source.searchNumber);
  if (!past) {
    throw new AppError('saved.not-found', `There is no past search ${String(source.searchNumber)}`);
  }
  return {
    refs: () => refsOfRun(source.searchNumber, library),
    count: past.count,
    asOf: toTimestamp(past.fetchedAtMs),
    filter: past.localFilter,
  };
}

// eslint-disable-next-line @typescript-eslint/require-await -- the others ask the library's engine
async function* sampleOf(
  refs: Iterable<{ collectionId: string; itemId: string }>,
  library: OpenCatalog['library'],
): AsyncGenerator<IdentifiedItem[]> {
  let count = 0;
  for (const ref of refs) {
    const one = library.item(ref)?.value;
    if (one) yield [one];
    count += 1;
    if (count >= sampleCount) return;
  }
}

/** A name from the window as a file's name that every system takes, with the ending of its form. */
function toFileName(name: string, extension: string): string {
  const safe = toSafeName(name, { maxBytes: 200, fallback: 'items' });
  return safe.toLowerCase().endsWith(extension) ? safe : `${safe}${extension}`;
}
