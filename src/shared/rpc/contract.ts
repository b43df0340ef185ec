import { z } from 'zod';
import { itemRowSchema } from '../stac/item-row.ts';
import { searchQuerySchema } from '../search/search-query.ts';
import { settingsChangeSchema, settingsSchema } from '../settings/settings.ts';
import { linkModeSchema, transferSchema } from '../transfer/transfer.ts';
import { command, query, stream } from './define-contract.ts';

const catalogErrors = [
  'network.offline',
  'network.timeout',
  'network.tls',
  'http.unexpected-status',
  'http.too-many-requests',
  'http.body-too-large',
  'auth.required',
  'auth.forbidden',
  'stac.not-an-api',
  'stac.invalid-response',
] as const;

const nothing = z.object({});
const itemRef = z.object({ collectionId: z.string().min(1), itemId: z.string().min(1) });

const collectionSummary = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  license: z.string().nullable(),
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
  interval: z.tuple([z.string().nullable(), z.string().nullable()]).nullable(),
});

const queryable = z.object({
  name: z.string(),
  type: z.enum(['number', 'boolean', 'string', 'datetime', 'any']),
  title: z.string().nullable(),
  values: z.array(z.union([z.string(), z.number()])).nullable(),
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
});

/** One answer of a search: the rows that came, and what is known about the rest. */
const searchPage = z.object({
  /** Names this search for `search.more`; unknown again after the program restarts. */
  searchId: z.string(),
  rows: z.array(itemRowSchema),
  /** Total that the catalog announces, often an estimate; null when it doesn't say. */
  matched: z.number().int().nullable(),
  /** Whether the catalog offers another page. */
  hasMore: z.boolean(),
  /** Whether the catalog's pages led in a circle, so that Items may be missing although no more are offered. */
  isIncomplete: z.boolean(),
  /** Items that could not be taken, each with its reason. */
  skipped: z.array(z.object({ reason: z.string() })),
  /** When the catalog answered, RFC 3339. */
  asOf: z.string(),
});

const assetView = z.object({
  key: z.string(),
  title: z.string().nullable(),
  mediaType: z.string().nullable(),
  roles: z.array(z.string()),
  sizeBytes: z.number().int().nullable(),
  /** Whether the catalog announced a checksum that Swath can verify. */
  isVerifiable: z.boolean(),
  /** Whether it can be fetched; `directory` and `unsupported-scheme` say why not. */
  availability: z.enum(['downloadable', 'directory', 'unsupported-scheme']),
});

/** An opened Item. */
const itemView = z.object({
  row: itemRowSchema,
  /** The Item as the catalog sent it, less its signed links. */
  item: z.record(z.string(), z.unknown()),
  assets: z.array(assetView),
  asOf: z.string(),
});

const folder = z.object({
  path: z.string(),
  /** Space left for us on its volume; null when the system doesn't tell. */
  freeBytes: z.number().int().nullable(),
});

/** Everything the window can ask of the backend. */
export const contract = {
  app: {
    info: query({
      input: nothing,
      output: z.object({
        version: z.string(),
        host: z.enum(['electron', 'browser']),
        /** Whether `folders.choose` opens the system's own dialog. */
        hasFolderDialog: z.boolean(),
        /** Whether finished files can be shown in the system's file manager. */
        canShowFiles: z.boolean(),
      }),
      errors: [],
    }),
    showFile: command({
      input: z.object({ transferId: z.number().int() }),
      output: nothing,
      errors: ['host.unsupported', 'transfer.not-found'],
    }),
  },
  connection: {
    /** The catalog in use and whether it answers. */
    watch: stream({
      input: nothing,
      event: z.object({
        name: z.string(),
        kind: z.enum(['demo', 'remote']),
        baseUrl: z.string().nullable(),
        state: z.enum(['starting', 'online', 'offline', 'unauthorized', 'failed']),
        /** Sentence for the log; null when all is well. */
        problem: z.string().nullable(),
        /** Catalog requests on their way now. */
        activeRequests: z.number().int(),
        maxRequests: z.number().int(),
      }),
      errors: [],
    }),
    retry: command({ input: nothing, output: nothing, errors: [] }),
  },
  catalog: {
    collections: query({
      input: nothing,
      output: z.object({ collections: z.array(collectionSummary), asOf: z.string() }),
      errors: catalogErrors,
    }),
    queryables: query({
      input: z.object({ collectionIds: z.array(z.string().min(1)) }),
      output: z.object({ queryables: z.array(queryable), asOf: z.string() }),
      errors: [...catalogErrors, 'stac.collection-not-found'],
    }),
  },
  search: {
    run: query({
      input: z.object({ query: searchQuerySchema }),
      output: searchPage,
      errors: [...catalogErrors, 'stac.query-rejected', 'stac.collection-not-found'],
    }),
    /** The next page of a search that `run` began. */
    more: query({
      input: z.object({ searchId: z.string() }),
      output: searchPage,
      errors: [...catalogErrors, 'stac.query-rejected'],
    }),
  },
  item: {
    /** From the catalog; the library's copy where the catalog can't be reached. */
    get: query({
      input: itemRef,
      output: itemView,
      errors: [...catalogErrors, 'stac.item-not-found', 'stac.collection-not-found'],
    }),
    /** The library's copy alone, at once: what to show until the catalog answers. Null when it has none. */
    kept: query({ input: itemRef, output: itemView.nullable(), errors: [] }),
  },
  downloads: {
    start: command({
      input: itemRef.extend({
        assetKeys: z.array(z.string()).min(1),
        destination: z.string().min(1),
        links: linkModeSchema,
      }),
      output: z.object({ downloadId: z.number().int() }),
      errors: [
        ...catalogErrors,
        'stac.item-not-found',
        'stac.collection-not-found',
        'stac.asset-not-found',
        'link.none',
        'transfer.destination-missing',
        'transfer.destination-not-writable',
      ],
    }),
    pause: command({
      input: z.object({ transferId: z.number().int() }),
      output: nothing,
      errors: ['transfer.not-found'],
    }),
    /** Goes on with a paused transfer, or tries a failed one again. */
    resume: command({
      input: z.object({ transferId: z.number().int() }),
      output: nothing,
      errors: ['transfer.not-found'],
    }),
    cancel: command({
      input: z.object({ transferId: z.number().int() }),
      output: nothing,
      errors: ['transfer.not-found'],
    }),
    /** Takes a settled transfer off the list; files stay. */
    remove: command({
      input: z.object({ transferId: z.number().int() }),
      output: nothing,
      errors: ['transfer.not-found'],
    }),
    /** First all transfers, then those that changed, at most 4 times a second. */
    watch: stream({
      input: nothing,
      event: z.object({ changed: z.array(transferSchema), removed: z.array(z.number().int()) }),
      errors: [],
    }),
  },
  folders: {
    /** Where downloads go when nothing else is chosen. */
    suggested: query({ input: nothing, output: folder, errors: [] }),
    /** The system's own folder dialog; null when it was dismissed. */
    choose: command({
      input: z.object({ startAt: z.string().nullable() }),
      output: folder.nullable(),
      errors: ['host.unsupported'],
    }),
    /** Subfolders of a folder, for hosts without a dialog. A null path is the user's home. */
    list: query({
      input: z.object({ path: z.string().nullable() }),
      output: z.object({
        folder,
        /** Its path; null at the top. */
        parent: z.string().nullable(),
        /** Their names, not their paths. */
        children: z.array(z.string()),
      }),
      errors: ['transfer.destination-missing', 'host.unsupported'],
    }),
    create: command({
      input: z.object({ parent: z.string(), name: z.string().min(1).max(120) }),
      output: folder,
      errors: ['transfer.destination-missing', 'transfer.destination-not-writable', 'host.unsupported'],
    }),
  },
  settings: {
    watch: stream({ input: nothing, event: settingsSchema, errors: [] }),
    change: command({ input: settingsChangeSchema, output: settingsSchema, errors: [] }),
  },
};
