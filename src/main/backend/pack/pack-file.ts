import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { fromFd, type Entry, type ZipFile } from 'yauzl';
import { isTooDeep } from '#shared/stac/json.ts';
import { clashKey, toSafeName } from '../downloads/output/safe-names.ts';
import { toDiskError } from '../downloads/file/disk-error.ts';
import { refusePack } from './pack-error.ts';
import {
  basemapPart,
  filesFolder,
  manifestSchema,
  packLimits,
  packParts,
  packSchema,
  thumbnailFolder,
  type PackManifest,
} from './pack-format.ts';

/** A pack whose list of contents was checked; none of the contents was read. */
export interface PackFile {
  manifest: PackManifest;
  packBytes: number;
  /** The bytes of one of its entries. @throws AppError `exchange.unreadable` */
  open(path: string): Promise<Readable>;
  close(): Promise<void>;
}

const lineParts: readonly string[] = [
  packParts.items,
  packParts.fetched,
  packParts.searches,
  packParts.thumbnails,
  packParts.files,
];
const neededParts: readonly string[] = [packParts.collections, ...lineParts];

/**
 * Opens a pack and believes nothing of it: names must be ones that Swath writes, sizes must be those of its manifest and
 * within limits, and no two entries may share their bytes.
 * @throws AppError `exchange.unreadable`, `transfer.*`
 */
export async function openPackFile(path: string): Promise<PackFile> {
  const file = await open(path, 'r').catch((thrown: unknown) => {
    throw toDiskError(thrown, path);
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw refusePack('It is no file.');
    const zip = await openZip(file);
    const entries = await readDirectory(zip, stats.size);
    const manifest = await readManifest(zip, entries);
    compare(manifest, entries);
    return {
      manifest,
      packBytes: stats.size,
      open: (name) => {
        const entry = entries.get(name);
        if (!entry) throw refusePack(`It has no ${name}.`);
        return openEntry(zip, entry);
      },
      close: () => file.close(),
    };
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

function openZip(file: FileHandle): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    // The handle owns the descriptor, and closes it.
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: true };
    fromFd(file.fd, options, (error, zip) => {
      if (error) reject(refusePack('It is not a field pack, or it is damaged.'));
      else resolve(zip);
    });
  });
}

async function readDirectory(zip: ZipFile, packBytes: number): Promise<Map<string, Entry>> {
  if (zip.entryCount > packLimits.entries) throw refusePack('It has too many files.');
  const entries = new Map<string, Entry>();
  const clashKeys = new Set<string>();
  const offsets = new Set<number>();
  let packedBytes = 0;
  for await (const entry of eachEntry(zip)) {
    const { fileName, compressedSize, relativeOffsetOfLocalHeader: offset } = entry;
    checkEntry(entry);
    const key = clashKey(fileName);
    if (clashKeys.has(key)) throw refusePack(`Two of its files have the name ${show(fileName)}.`);
    clashKeys.add(key);
    packedBytes += compressedSize;
    // One stretch of bytes under many names is how a small file unpacks to a huge one.
    if (offsets.has(offset) || packedBytes > packBytes) throw refusePack('Its files overlap.');
    offsets.add(offset);
    entries.set(fileName, entry);
  }
  return entries;
}

function eachEntry(zip: ZipFile): AsyncIterable<Entry> {
  return {
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((resolve, reject) => {
          const settle = (done: () => void) => {
            zip.removeAllListeners('entry').removeAllListeners('end').removeAllListeners('error');
            done();
          };
          zip.once('entry', (value: Entry) => settle(() => resolve({ done: false, value })));
          zip.once('end', () => settle(() => resolve({ done: true, value: undefined })));
          zip.once('error', () => settle(() => reject(refusePack('Its list of contents is damaged.'))));
          zip.readEntry();
        }),
    }),
  };
}

function checkEntry(entry: Entry): void {
  const { fileName, uncompressedSize, compressedSize, compressionMethod } = entry;
  if (!isOurName(fileName))
    throw refusePack(`It has a file with the name ${show(fileName)}, which has no place in a field pack.`);
  // Unix file type in the upper half; anything but a plain file (a link) could lead elsewhere.
  const type = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (type !== 0 && type !== 0o100000) throw refusePack(`${show(fileName)} is no plain file.`);
  if (entry.isEncrypted() || ![0, 8].includes(compressionMethod))
    throw refusePack(`${show(fileName)} is packed in a way that Swath doesn't use.`);
  if (compressionMethod === 0 && compressedSize !== uncompressedSize)
    throw refusePack(`${show(fileName)} has two sizes.`);
  if (uncompressedSize > maxBytesOf(fileName)) throw refusePack(`${show(fileName)} is too large.`);
  if (uncompressedSize > 16 * 1024 * 1024 && uncompressedSize > compressedSize * packLimits.packedRatio)
    throw refusePack(`${show(fileName)} would unpack to far more than it is.`);
}

// A name is taken only if it is one that could be given to a file on any system.
function isOurName(name: string): boolean {
  if (name === packParts.manifest || name === basemapPart || neededParts.includes(name)) return true;
  const [folder, ...rest] = name.split('/');
  if (folder === thumbnailFolder) return /^[1-9]\d{0,6}$/.test(rest.join('/'));
  const isSafe = rest.length >= 1 && rest.length <= 4 && rest.every((part) => toSafeName(part) === part);
  return folder === filesFolder && isSafe;
}

function maxBytesOf(name: string): number {
  if (name === packParts.manifest) return packLimits.manifestBytes;
  if (name === packParts.collections) return packLimits.collectionsBytes;
  if (lineParts.includes(name)) return packLimits.linesBytes;
  if (name === basemapPart) return packLimits.basemapBytes;
  return name.startsWith(`${thumbnailFolder}/`) ? packLimits.thumbnailBytes : Number.MAX_SAFE_INTEGER;
}

async function readManifest(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<PackManifest> {
  const entry = entries.get(packParts.manifest);
  if (!entry) throw refusePack('It has no manifest, so it is no field pack.');
  const value = await readJsonEntry(await openEntry(zip, entry));
  const { schema } = value as { schema?: unknown };
  if (typeof schema === 'number' && schema > packSchema) throw refusePack('It was made by a newer Swath.');
  const parsed = manifestSchema.safeParse(value);
  if (!parsed.success) throw refusePack('Its manifest is not one of a field pack.');
  return parsed.data;
}

/** Reads a part that is one JSON value. @throws AppError `exchange.unreadable` */
export async function readJsonEntry(stream: Readable): Promise<object> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (typeof value === 'object' && value !== null && !isTooDeep(value)) return value;
  } catch {
    // Told below.
  }
  throw refusePack('A part of it is no JSON, or damaged.');
}

function compare(manifest: PackManifest, entries: ReadonlyMap<string, Entry>): void {
  const listed = new Set(manifest.entries.map(({ path }) => path));
  if (listed.size !== manifest.entries.length || listed.size !== entries.size - 1)
    throw refusePack('Its files are not those that its manifest lists.');
  for (const { path, bytes } of manifest.entries) {
    if (entries.get(path)?.uncompressedSize !== bytes)
      throw refusePack(`${show(path)} is missing, or has another size than the manifest says.`);
  }
  for (const part of neededParts) if (!listed.has(part)) throw refusePack(`It has no ${part}.`);
  if (listed.has(basemapPart) !== (manifest.counts.basemaps === 1))
    throw refusePack('Its manifest does not say the truth about its map.');
  if (manifest.counts.items > packLimits.items) throw refusePack('It has too many items.');
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) reject(refusePack(`${show(entry.fileName)} is damaged.`));
      else resolve(stream);
    });
  });
}

function show(name: string): string {
  return `“${name.slice(0, 80).replace(/[\p{C}]/gu, '?')}”`;
}
