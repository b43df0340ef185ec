import type { ErrorData } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-codes.ts';
import { presentError } from '../errors/present-error.ts';
import { formatBytes } from '../format/format-bytes.ts';
import { formatCount } from '../format/format-number.ts';

/** What is in the way of a transfer, in words. */
export interface ProblemWords {
  /** What a transfer that waits for it waits for. */
  waits: string;
  /** What happened; a sentence without its full stop. */
  what: string;
  /** What to do; a sentence, or several. */
  next: string;
}

type Details = ErrorData['details'];

interface Entry {
  waits?: string | ((details: Details) => string);
  what: (details: Details) => string;
  next: (details: Details) => string;
}

// What an error means to a file on its way. The general table speaks of questions to a catalog; where its words hold
// for files too, there is no entry here.
const entries: Partial<Record<ErrorCode, Entry>> = {
  'network.offline': {
    waits: (details) =>
      isCut(details)
        ? ''
        : details['isServerAway'] === true
          ? 'Waits for the server'
          : 'Waits for the network',
    what: (details) =>
      isCut(details) ? `${host(details)} broke the connection off` : `${whoIsAway(details)} be reached`,
    next: (details) =>
      isCut(details)
        ? describeNextTry(details, 'It is tried again from where it was.')
        : 'It goes on where it was when that is over.',
  },
  'network.timeout': {
    what: (details) => `${host(details)} stopped sending`,
    next: (details) => describeNextTry(details, 'It goes on where it was with a new connection.'),
  },
  'network.switched-off': {
    waits: 'Waits while offline',
    what: () => 'You are working offline',
    next: () => 'It goes on by itself when you go online.',
  },
  'network.sign-in': {
    waits: 'Waits for the network',
    what: () => 'The network is showing a sign-in page',
    next: () => 'Sign in to the network in your browser; it then goes on by itself.',
  },
  'network.proxy': {
    waits: 'Waits for the proxy',
    what: () => 'The proxy doesn’t let it through',
    next: () => 'Check the proxy in Settings, Network.',
  },
  'http.too-many-requests': {
    what: (details) => `${host(details)} asks to slow down`,
    next: () => 'It goes on by itself, with fewer connections.',
  },
  'http.unexpected-status': {
    what: (details) =>
      typeof details['status'] === 'number'
        ? `${host(details)} has a fault (status ${details['status']})`
        : `${host(details)} has a fault`,
    next: () => 'If trying again doesn’t help, the provider has to look into it.',
  },
  'http.body-too-large': {
    what: () => 'The catalog’s entry of the item is too large to read',
    next: () => 'Report it to the provider.',
  },
  'auth.required': {
    waits: 'Waits for you to sign in',
    what: () => 'The catalog asks for a valid access token',
    next: () => 'Renew it in Settings. Everything of this catalog goes on then.',
  },
  'auth.client-refused': {
    waits: 'Waits for you to sign in',
    what: () => 'The token service refuses this client',
    next: () => 'Check the client id and the secret in Settings. Everything of this catalog goes on then.',
  },
  'auth.secret-missing': {
    waits: 'Waits for you to sign in',
    what: () => 'The secret of the connection is not here',
    next: () => 'Type it again in Settings. Everything of this catalog goes on then.',
  },
  'connection.not-found': {
    what: () => 'Its catalog was removed from Swath',
    next: () => 'Add the catalog again, then try again.',
  },
  'stac.item-not-found': {
    what: () => 'The catalog doesn’t have the item any more',
    next: () => 'It may have been reprocessed under another id. Whatever came of it is kept; search again.',
  },
  'stac.asset-not-found': {
    what: () => 'The item doesn’t have this asset any more',
    next: () => 'It may have been reprocessed. Open the item again and choose anew.',
  },
  'link.refused': {
    what: describeRefusal,
    next: (details) =>
      isOfCatalog(details)
        ? 'The storage was not at fault. Try again; if it stays so, the catalog has to be put right: tell the provider.'
        : `${describeTried(details)} This account may not be allowed to have it: ask the provider.`,
  },
  'link.insecure-redirect': {
    what: () => 'The download was led to an insecure address',
    next: () => 'Swath doesn’t follow there. Report it to the provider.',
  },
  'transfer.disk-full': {
    waits: 'Waits for space',
    what: describeShortage,
    next: () => 'Free space: everything for this disk goes on by itself. Or choose another folder.',
  },
  'transfer.destination-missing': {
    waits: 'Waits for the folder',
    // Which is said above the list, and by its order: a path would leave no room for what follows.
    what: () => 'The folder is not there',
    next: () => 'Connect its disk or share again: it goes on where it was. Nothing is written elsewhere.',
  },
  'transfer.destination-not-writable': {
    what: (details) =>
      details['reason'] === 'NO_FOLDER'
        ? `${quoted(details, 'path')} is in the way of a folder`
        : `Swath may not write into ${quoted(details, 'path') || 'the folder'}`,
    next: (details) =>
      details['reason'] === 'NO_FOLDER'
        ? 'Give that file another name and try again, or order into another folder.'
        : 'Change its permissions and try again, or order into another folder.',
  },
  'transfer.disk-error': {
    what: ({ reason }) => diskReasons.get(reason) ?? 'The disk reports an error',
    next: ({ reason }) =>
      diskReasons.has(reason) && reason !== 'DAMAGED'
        ? 'What is missing is fetched again. Keep other programs out of the folder while files are fetched.'
        : 'Check the disk before you go on; then try again.',
  },
  'transfer.wrong-content': {
    what: describeWrongContent,
    next: (details) =>
      isWrongPart(details)
        ? 'None of it was written. Try again; if it stays so, the server can’t send this file in parts: tell the provider.'
        : 'Nothing of it was kept. If you are behind a sign-in page of a network, sign in there; then try again.',
  },
  'transfer.source-changed': {
    what: (details) =>
      details['isUnsteady'] === true
        ? 'The source sends other bytes each time'
        : 'The file changed at its source while it was fetched',
    next: () => 'It is fetched again from the start, so that two versions are never mixed.',
  },
  'transfer.size-mismatch': {
    what: describeSizes,
    next: () =>
      'It was not given its name. Try again; if it stays so, the catalog’s entry is wrong: tell the provider.',
  },
  'transfer.checksum-mismatch': {
    what: () => 'The checksum is not the one that the catalog says',
    next: (details) =>
      `${describeKept(details)} Try again; if it stays so, the file is damaged at its source: tell the provider.`,
  },
  'transfer.source-mismatch': {
    what: () => 'Every source sends a file of another checksum than announced',
    next: (details) => `Tell the provider of the data. ${describeKept(details)}`,
  },
};

/** What is in the way of a transfer, in words; every code has some. */
export function describeProblem({ code, details }: Pick<ErrorData, 'code' | 'details'>): ProblemWords {
  const entry = entries[code];
  if (!entry) {
    const { title, hint } = presentError({ code, details });
    return { waits: '', what: title, next: hint };
  }
  const { waits = '', what, next } = entry;
  return {
    waits: typeof waits === 'string' ? waits : waits(details),
    what: what(details),
    next: next(details),
  };
}

function host(details: Details): string {
  const name = details['host'];
  return typeof name === 'string' && name !== '' ? name.slice(0, 200) : 'The server';
}

function quoted(details: Details, name: string): string {
  const value = details[name];
  return typeof value === 'string' && value !== '' ? `“${value.slice(0, 300)}”` : '';
}

// The server was reached: the connection broke off.
const cutReasons: ReadonlySet<unknown> = new Set([
  'ENDED_EARLY',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ERR_HTTP_CONTENT_LENGTH_MISMATCH',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

function isCut(details: Details): boolean {
  return cutReasons.has(details['reason']);
}

function describeNextTry({ givesNoRanges }: Details, otherwise: string): string {
  return givesNoRanges === true ? 'It begins again, as this server sends whole files only.' : otherwise;
}

// What other programs, or people, do to a part file.
const diskReasons: ReadonlyMap<unknown, string> = new Map([
  ['VANISHED', 'The unfinished file is gone'],
  ['TOUCHED', 'Another program changed the unfinished file'],
  ['DAMAGED', 'The disk has changed some of the bytes'],
  ['NOT_OURS', 'Something else has the unfinished file’s name'],
]);

function describeSizes({ expectedBytes: announced, actualBytes: found, isLeast }: Details): string {
  if (typeof announced !== 'number' || typeof found !== 'number')
    return 'The file has another size than the catalog says';
  if (isLeast === true) return `The file has more than the ${formatBytes(announced)} that the catalog says`;
  // Rounded, sizes that differ by little would be the same.
  const isRoundedApart = formatBytes(found) !== formatBytes(announced);
  const say = isRoundedApart ? formatBytes : (bytes: number) => `${formatCount(bytes)} bytes`;
  return `The file has ${say(found)}, the catalog says ${say(announced)}`;
}

function whoIsAway(details: Details): string {
  if (typeof details['host'] === 'string') return `${host(details)} can’t`;
  return details['isCatalog'] === true ? 'The catalog can’t' : 'No server can';
}

// Under a name that nobody takes for the file's own.
function describeKept(details: Details): string {
  const name = quoted(details, 'keptAs');
  return name === ''
    ? 'It was not given its name.'
    : `What came is kept as ${name}, where the file would be.`;
}

function describeShortage({ missingBytes }: Details): string {
  return typeof missingBytes === 'number' && missingBytes > 0
    ? `${formatBytes(missingBytes)} missing on the disk`
    : 'The disk is full';
}

function describeTried({ linkMode }: Details): string {
  if (linkMode === 'signed')
    return 'Every link was tried that the catalog gives for it; the order takes no proxy links.';
  if (linkMode === 'proxy')
    return 'Every link was tried that the catalog gives for it; the order takes proxy links only.';
  return 'Every link was tried that the catalog gives for it.';
}

function describeRefusal(details: Details): string {
  const status = statusOf(details);
  if (isEndedLink(details)) return 'The catalog hands out links that have ended';
  return isNoLink(details)
    ? `The catalog’s proxy doesn’t lead to the file${status}`
    : `The storage refuses the file${status}`;
}

function statusOf({ status }: Details): string {
  return typeof status === 'number' ? ` (status ${status})` : '';
}

function isOfCatalog(details: Details): boolean {
  return isEndedLink(details) || isNoLink(details);
}

// A storage that calls a link old has answered with a status.
function isEndedLink({ refusal, status }: Details): boolean {
  return refusal === 'expired' && status === undefined;
}

// A storage that refuses says so with a status of its own kind, and why is then told apart.
function isNoLink({ refusal, status }: Details): boolean {
  return refusal === undefined && typeof status === 'number' && status < 400;
}

// Whatever else came in place of the file was known by its type or by its bytes.
function isWrongPart({ reason, encoding, contentType }: Details): boolean {
  return [reason, encoding, contentType].every((sign) => typeof sign !== 'string');
}

function describeWrongContent(details: Details): string {
  const { reason, encoding, contentType } = details;
  if (isWrongPart(details)) return 'The server returned the wrong part of the file';
  if (typeof encoding === 'string') return 'The source sends compressed data that can’t be checked';
  if (typeof contentType === 'string') return 'The source sends a page in place of the file';
  return typeof reason === 'string' && reason !== ''
    ? `What came is not the file: it is ${reason.slice(0, 200)}`
    : 'What came is not the file, but something in its place';
}
