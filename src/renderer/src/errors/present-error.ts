import type { ErrorData } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-codes.ts';
import { describeCulprit, join, quote, status, text } from './detail-words.ts';
import type { ErrorAction, ErrorEntry } from './error-entry.ts';
import { transferErrors } from './transfer-errors.ts';

/** An error in words for people. */
export interface PresentedError {
  title: string;
  hint: string;
  action: ErrorAction | null;
}

const entries: Record<ErrorCode, ErrorEntry> = {
  'input.invalid': {
    title: 'That can’t be used as it is',
    hint: (details) =>
      join(quote(details, 'field'), text(details, 'why')) || 'Check what was typed and try again.',
    action: 'change-query',
  },
  'input.too-large': {
    title: 'That is too large',
    hint: () => 'Use a simpler area or a shorter list.',
    action: 'change-query',
  },
  cancelled: { title: 'Cancelled', hint: () => 'Nothing was changed.', action: 'retry' },
  internal: {
    title: 'Swath made a mistake',
    hint: () => 'Try again. If it happens again, restart Swath; the log says more.',
    action: 'retry',
  },
  'network.offline': {
    title: 'The catalog can’t be reached',
    hint: (details) =>
      details['host'] === 'local'
        ? 'The connection to Swath itself was lost.'
        : `${text(details, 'host') || 'The server'} doesn’t answer. Check the network, then try again.`,
    action: 'retry',
  },
  'network.timeout': {
    title: 'The catalog took too long to answer',
    hint: () =>
      'Try again. A narrower question is answered sooner: fewer collections, a smaller area, a shorter time.',
    action: 'retry',
  },
  'network.tls': {
    title: 'The secure connection could not be made',
    hint: (details) =>
      join(
        `The certificate of ${text(details, 'host') || 'the server'} is not trusted here.`,
        text(details, 'issuer') && `It was issued by ${text(details, 'issuer')}.`,
        'A company network that looks into connections may be in the way.',
      ),
    action: 'retry',
  },
  'network.proxy': {
    title: 'The proxy doesn’t let the request through',
    hint: (details) =>
      join(
        text(details, 'proxy') && `${text(details, 'proxy')} is in the way.`,
        status(details),
        'Check the proxy in Settings, Network.',
      ),
    action: 'retry',
  },
  'network.switched-off': {
    title: 'You are working offline',
    hint: () => 'Nothing is asked of the network. Go online at the top of the window to ask again.',
  },
  'network.sign-in': {
    title: 'The network is showing a sign-in page',
    hint: () => 'Open a web page in your browser and sign in to this network.',
    action: 'retry',
  },
  'http.unexpected-status': {
    title: 'The catalog answered with an error',
    hint: (details) =>
      join(status(details), text(details, 'reason')) || 'The server may have a fault. Try again in a moment.',
    action: 'retry',
  },
  'http.too-many-requests': {
    title: 'The catalog asks to slow down',
    hint: (details) => {
      const seconds = details['retryAfterSeconds'];
      return typeof seconds === 'number'
        ? `It takes requests again in ${seconds} s.`
        : 'Too many requests at once on this account. Wait a little, then try again.';
    },
    action: 'retry',
  },
  'http.body-too-large': {
    title: 'The answer is too large',
    hint: () => 'Narrow the question, so that the catalog sends less at once.',
    action: 'change-query',
  },
  'auth.required': {
    title: 'The catalog asks for a valid access token',
    hint: (details) =>
      details['reason'] === 'login-page'
        ? `${text(details, 'host') || 'The storage'} shows a login in place of the file. Ask the provider whether your account may download it, then resume.`
        : 'The token is missing or has expired.',
    action: 'retry',
  },
  'auth.forbidden': {
    title: 'This account may not see that',
    hint: () => 'The catalog knows the account but refuses this request. Its owner can grant access.',
  },
  'auth.client-refused': {
    title: 'The token service refuses this client',
    hint: (details) => join(text(details, 'reason'), 'Check the client id and the secret in Settings.'),
  },
  'auth.secret-missing': {
    title: 'The secret of this connection is not here',
    hint: () => 'This computer has no key store to keep it in. Type it again in Settings.',
  },
  'connection.not-found': {
    title: 'That connection is not there any more',
    hint: () => 'It was removed meanwhile. Choose another one.',
  },
  'stac.not-an-api': {
    title: 'That address is not a STAC API',
    hint: () => 'Check the address; it usually ends in /stac.',
  },
  'stac.invalid-response': {
    title: 'The catalog’s answer can’t be read',
    hint: (details) =>
      text(details, 'found') === ''
        ? 'It is not the JSON that a STAC API sends. A sign-in page may be in the way.'
        : `It sent ${text(details, 'found')} where ${text(details, 'expected') || 'something else'} was expected.`,
    action: 'retry',
  },
  'stac.query-rejected': {
    title: 'The catalog refuses this question',
    hint: (details) =>
      join(describeCulprit(details), text(details, 'reason')) ||
      'It doesn’t support one of the conditions. Take conditions away one by one.',
    action: 'change-query',
  },
  'stac.collection-not-found': {
    title: 'The catalog doesn’t have that collection',
    hint: (details) => join(quote(details, 'collectionId'), 'It may have been renamed or removed.'),
    action: 'change-query',
  },
  'stac.item-not-found': {
    title: 'The catalog doesn’t have this item any more',
    hint: (details) =>
      join(quote(details, 'itemId'), 'It may have been removed or reprocessed. Search again.'),
  },
  'stac.asset-not-found': {
    title: 'The item doesn’t have this asset any more',
    hint: (details) => join(quote(details, 'assetKey'), 'It may have been reprocessed. Open the item again.'),
  },
  'basemap.unreadable': {
    title: 'The basemap can’t be used',
    hint: (details) =>
      join(quote(details, 'file'), text(details, 'why'), text(details, 'mend')) ||
      'Choose a .pmtiles or .mbtiles file.',
  },
  'basemap.not-found': {
    title: 'That basemap is no longer in the list',
    hint: () => 'Choose another one, or add it again.',
  },
  'aoi.unreadable': {
    title: 'The area can’t be read',
    hint: (details) =>
      join(quote(details, 'file'), text(details, 'place'), text(details, 'why'), text(details, 'mend')) ||
      'Check the text or the file; GeoJSON, KML, GPX, WKT and zipped Shapefiles can be read.',
    action: 'change-query',
  },
  'aoi.too-large': {
    title: 'The area is too large to take in',
    hint: (details) =>
      join(quote(details, 'file'), text(details, 'why'), text(details, 'mend')) ||
      'Take a smaller file, or an area with fewer corners.',
    action: 'change-query',
  },
  'exchange.unreadable': {
    title: 'The file can’t be read',
    hint: (details) =>
      join(quote(details, 'file'), text(details, 'place'), text(details, 'why'), text(details, 'mend')) ||
      'GeoJSON, STAC ItemCollections, CSV and GeoParquet can be read.',
  },
  'exchange.too-large': {
    title: 'The file is too large to take in',
    hint: (details) =>
      join(quote(details, 'file'), text(details, 'place'), text(details, 'why'), text(details, 'mend')) ||
      'Save fewer items in one file.',
  },
  'exchange.file-exists': {
    title: 'There is a file of this name already',
    hint: (details) => join(quote(details, 'path'), 'Replace it, or choose another name.'),
  },
  'exchange.nothing': {
    title: 'There is nothing to write',
    hint: () => 'No item of these is in the library, and the catalog did not give any.',
  },
  'saved.not-found': { title: 'That is not there any more', hint: () => 'It was removed meanwhile.' },
  'saved.name-taken': {
    title: 'That name is taken',
    hint: (details) => join(quote(details, 'name'), 'Choose another name.'),
  },
  ...transferErrors,
  'library.newer-schema': {
    title: 'The library was made by a newer Swath',
    hint: () => 'Install the newer version, or start with another data folder.',
  },
  'library.corrupt': {
    title: 'The library is damaged',
    hint: () =>
      'Swath puts a damaged library aside and brings back what can be read, at the latest when it starts again. Files that were brought home are not touched.',
  },
  'library.in-use': {
    title: 'Another Swath uses this library',
    hint: (details) => join(text(details, 'other'), 'Close the other window or command, then start again.'),
  },
  'library.disk-full': {
    title: 'The disk that Swath’s files are on is full',
    hint: () =>
      'What came is shown, and nothing more is kept. Make room on the disk, or lower the library’s limit of size.',
    action: 'retry',
  },
  'library.read-only': {
    title: 'The library’s folder can’t be written to',
    hint: () => 'What came is shown, and not kept. Choose another folder, or allow writing to this one.',
    action: 'choose-folder',
  },
  'library.folder-missing': {
    title: 'The folder of the libraries is not there',
    hint: (details) =>
      join(
        text(details, 'folder') && `${text(details, 'folder')} can’t be found.`,
        'Connect the drive it is on, then start Swath again. Until then nothing new is kept. If it is lost for good, leave it behind under Library, Storage.',
      ),
  },
  'library.busy': {
    title: 'The library is being worked on',
    hint: () => 'One thing is done at a time. Wait for it, or stop it.',
  },
  'library.not-a-backup': {
    title: 'That is no backup that can be used',
    hint: (details) => join(text(details, 'why'), 'Choose the dated folder that a backup made.'),
    action: 'choose-folder',
  },
  'library.question-unsupported': {
    title: 'The library can’t answer this question',
    hint: (details) => join(text(details, 'reason'), 'Change it, or ask the catalog when it can be reached.'),
    action: 'change-query',
  },
  'host.unsupported': { title: 'That can’t be done here', hint: () => 'This window has no way to do it.' },
  'host.output-lost': {
    title: 'What a command had to tell could not be written',
    hint: () => 'Make room where its output goes. What it did is done.',
  },
  'host.other-version': {
    title: 'Another version of Swath is at work',
    hint: () => 'End it, or use its own command line.',
  },
  'host.gone': {
    title: 'The Swath that was at work has ended',
    hint: () => 'Look at the queue to see what was done, then try again.',
  },
};

/** The words for an error. The error's own message is for the log and is not used. */
export function presentError(error: Pick<ErrorData, 'code' | 'details'>): PresentedError {
  const entry = error.details['isElsewhere'] === true ? toEntryElsewhere(error) : entries[error.code];
  return { title: entry.title, hint: entry.hint(error.details), action: entry.action ?? null };
}

// Whoever reads of a missing token would look for the fault in their own, which another server never gets.
function toEntryElsewhere({ code, details }: Pick<ErrorData, 'code' | 'details'>): ErrorEntry {
  const isAboutToken = code === 'auth.required' || code === 'auth.forbidden';
  if (!isAboutToken) return entries[code];
  return {
    title: 'The next page is on a server that refuses access',
    hint: () => join(quote(details, 'origin'), 'The token is sent to the catalog’s own address only.'),
    action: 'retry',
  };
}
