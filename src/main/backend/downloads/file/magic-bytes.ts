/** Formats known by their first bytes. */
type Format = 'tiff' | 'jp2' | 'png' | 'jpeg' | 'zip' | 'hdf5' | 'netcdf';

// As they are written in sentences.
const formatNames: Readonly<Record<Format, string>> = {
  tiff: 'TIFF',
  jp2: 'JPEG 2000',
  png: 'PNG',
  jpeg: 'JPEG',
  zip: 'ZIP',
  hdf5: 'HDF5',
  netcdf: 'NetCDF',
};

/** How many bytes from the beginning of a file are looked at. */
export const headBytes = 512;

const signatures: readonly [Format, string][] = [
  ['tiff', '49492a00'],
  ['tiff', '4d4d002a'],
  ['tiff', '49492b00'],
  ['tiff', '4d4d002b'],
  ['jp2', '0000000c6a5020200d0a870a'],
  ['jp2', 'ff4fff51'],
  ['png', '89504e470d0a1a0a'],
  ['jpeg', 'ffd8ff'],
  ['zip', '504b0304'],
  ['zip', '504b0506'],
  ['hdf5', '894844460d0a1a0a'],
  ['netcdf', '43444601'],
  ['netcdf', '43444602'],
  ['netcdf', '43444605'],
];

const formatsByType: readonly [RegExp, Format][] = [
  [/^image\/(tiff|x-tiff|geotiff|vnd\.stac\.geotiff)/, 'tiff'],
  [/^image\/(jp2|jpx|j2k|jpeg2000)/, 'jp2'],
  [/^image\/png/, 'png'],
  [/^image\/jpe?g/, 'jpeg'],
  [/^application\/(zip|x-zip)/, 'zip'],
  [/^application\/(x-)?hdf5?/, 'hdf5'],
  [/^application\/(x-)?netcdf/, 'netcdf'],
];

const formatsByExtension: Readonly<Record<string, Format>> = {
  tif: 'tiff',
  tiff: 'tiff',
  jp2: 'jp2',
  j2k: 'jp2',
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  zip: 'zip',
  h5: 'hdf5',
  hdf5: 'hdf5',
  nc: 'netcdf',
};

/** The file that is expected, as far as the catalog tells. */
export interface ExpectedFile {
  mediaType: string | null;
  /** Name or path. */
  fileName: string;
}

/**
 * Why a file that begins with `head` can't be the expected one; null when it may be. A known format other than the
 * announced one passes: catalogs are careless about media types, but no server sends a PNG in place of an error.
 */
export function findWrongContent(head: Buffer, expected: ExpectedFile): string | null {
  const format = expectedFormat(expected);
  if (format === null) return null;
  const name = formatNames[format];
  if (head.length === 0) return `an empty file where ${name} was expected`;
  if (formatOf(head) !== null) return null;
  // An HDF5 signature may come after a user block of 512 bytes or more, which is free in its content.
  if (format === 'hdf5' && !looksLikePage(head)) return null;
  return looksLikePage(head)
    ? `a web page or an error message where ${name} was expected`
    : `no ${name} file`;
}

/** Whether a format with known first bytes is expected, so that a page of text can't be it. */
export function isBinaryExpected(expected: ExpectedFile): boolean {
  return expectedFormat(expected) !== null;
}

function expectedFormat({ mediaType, fileName }: ExpectedFile): Format | null {
  const type = mediaType?.toLowerCase() ?? '';
  const byType = formatsByType.find(([pattern]) => pattern.test(type));
  if (byType) return byType[1];
  if (type !== '' && type !== 'application/octet-stream') return null;
  return formatsByExtension[/\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''] ?? null;
}

function formatOf(head: Buffer): Format | null {
  const hex = head.subarray(0, 16).toString('hex');
  return signatures.find(([, signature]) => hex.startsWith(signature))?.[0] ?? null;
}

/** Whether a file begins as web pages and messages of errors do. */
export function looksLikePage(head: Buffer): boolean {
  const text = head
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  return /^(<|\{|\[)/.test(text);
}
