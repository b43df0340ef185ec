import type { ErrorCode } from '#shared/errors/error-codes.ts';

/** What the exit status of `swath` means; scripts build on it. */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  authentication: 3,
  unreachable: 4,
  inUse: 5,
  unfinished: 6,
} as const;

/** One of the exit statuses. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** For `--help`. */
export const exitCodesHelp = `
Exit codes:
  0  done
  1  failed, or ended by Ctrl-C
  2  wrong usage
  3  authentication: the catalog wants a token, or refuses this one
  4  offline, or the catalog can't be reached
  5  another Swath is at work with the files and carries out no commands of this one
  6  not at its end: something is paused, left out of an order, or can't be handed over
`;

const { failed, wrongUsage, authentication, unreachable, inUse } = exitCodes;

const byErrorCode: Record<ErrorCode, ExitCode> = {
  'input.invalid': wrongUsage,
  'input.too-large': wrongUsage,
  cancelled: failed,
  internal: failed,
  'network.offline': unreachable,
  'network.timeout': unreachable,
  'network.tls': unreachable,
  'network.proxy': unreachable,
  'network.switched-off': unreachable,
  'network.sign-in': unreachable,
  'http.unexpected-status': failed,
  'http.too-many-requests': failed,
  'http.body-too-large': failed,
  'auth.required': authentication,
  'auth.forbidden': authentication,
  'auth.client-refused': authentication,
  'auth.secret-missing': authentication,
  'connection.not-found': wrongUsage,
  'stac.not-an-api': failed,
  'stac.invalid-response': failed,
  'stac.query-rejected': failed,
  'stac.collection-not-found': failed,
  'stac.item-not-found': failed,
  'stac.asset-not-found': failed,
  'aoi.unreadable': wrongUsage,
  'aoi.too-large': wrongUsage,
  'basemap.unreadable': failed,
  'basemap.not-found': failed,
  'exchange.unreadable': failed,
  'exchange.too-large': failed,
  'exchange.file-exists': wrongUsage,
  'exchange.nothing': failed,
  'saved.not-found': wrongUsage,
  'saved.name-taken': wrongUsage,
  'link.none': failed,
  'link.refused': failed,
  'link.gone': failed,
  'link.credentials': authentication,
  'link.insecure-redirect': failed,
  'transfer.disk-full': failed,
  'transfer.destination-missing': failed,
  'transfer.destination-not-writable': failed,
  'transfer.disk-error': failed,
  'transfer.file-locked': failed,
  'transfer.fs-too-small': failed,
  'transfer.path-too-long': failed,
  'transfer.wrong-content': failed,
  'transfer.encoded-response': failed,
  'transfer.source-changed': failed,
  'transfer.size-mismatch': failed,
  'transfer.checksum-mismatch': failed,
  'transfer.source-mismatch': failed,
  'transfer.not-found': failed,
  'transfer.no-progress': failed,
  'transfer.crashed': failed,
  'transfer.too-many-open-files': failed,
  'limit.schedule': failed,
  'limit.metered': failed,
  'limit.battery': failed,
  'library.newer-schema': failed,
  'library.corrupt': failed,
  'library.in-use': inUse,
  'library.disk-full': failed,
  'library.read-only': failed,
  'library.folder-missing': failed,
  'library.busy': failed,
  'library.not-a-backup': wrongUsage,
  'library.question-unsupported': failed,
  'host.unsupported': failed,
  'host.output-lost': failed,
  'host.other-version': inUse,
  'host.gone': failed,
};

/** The exit status of a command that ended with this error. */
export function toExitCode(code: ErrorCode): ExitCode {
  return byErrorCode[code];
}
