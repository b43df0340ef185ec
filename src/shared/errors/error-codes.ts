/**
 * The closed set of error codes. Each has a sentence for people in the renderer's error table and an
 * exit code on the command line; adding one here makes both fail to compile until they know it.
 */
export const errorCodes = [
  // What the caller gave
  'input.invalid',
  'input.too-large',
  'cancelled',
  'internal',
  // Reaching a server
  'network.offline',
  'network.timeout',
  'network.tls',
  'network.proxy',
  'network.switched-off',
  'network.sign-in',
  'http.unexpected-status',
  'http.too-many-requests',
  'http.body-too-large',
  // Being let in
  'auth.required',
  'auth.forbidden',
  'auth.client-refused',
  'auth.secret-missing',
  // Catalogs that were set up
  'connection.not-found',
  // What the catalog answered
  'stac.not-an-api',
  'stac.invalid-response',
  'stac.query-rejected',
  'stac.collection-not-found',
  'stac.item-not-found',
  'stac.asset-not-found',
  // Areas from files and text
  'aoi.unreadable',
  'aoi.too-large',
  // Maps of one's own
  'basemap.unreadable',
  'basemap.not-found',
  // Files of items
  'exchange.unreadable',
  'exchange.too-large',
  'exchange.file-exists',
  'exchange.nothing',
  // What was saved under a name
  'saved.not-found',
  'saved.name-taken',
  // Links to files
  'link.none',
  'link.refused',
  'link.gone',
  'link.credentials',
  'link.insecure-redirect',
  // Bringing a file home
  'transfer.disk-full',
  'transfer.destination-missing',
  'transfer.destination-not-writable',
  'transfer.disk-error',
  'transfer.file-locked',
  'transfer.fs-too-small',
  'transfer.path-too-long',
  'transfer.wrong-content',
  'transfer.encoded-response',
  'transfer.source-changed',
  'transfer.size-mismatch',
  'transfer.checksum-mismatch',
  'transfer.source-mismatch',
  'transfer.not-found',
  'transfer.no-progress',
  'transfer.crashed',
  'transfer.too-many-open-files',
  // What a person has set for transfers
  'limit.schedule',
  'limit.metered',
  'limit.battery',
  // The local library
  'library.newer-schema',
  'library.corrupt',
  'library.in-use',
  'library.disk-full',
  'library.read-only',
  'library.folder-missing',
  'library.busy',
  'library.not-a-backup',
  'library.question-unsupported',
  // What this host cannot do
  'host.unsupported',
  // Standard output on a full disk
  'host.output-lost',
  // Another Swath that carries out a command
  'host.other-version',
  'host.gone',
] as const;

/** One of the closed set of error codes. */
export type ErrorCode = (typeof errorCodes)[number];
