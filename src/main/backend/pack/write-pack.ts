import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { AppError } from '#shared/errors/app-error.ts';
import { toDiskError } from '../downloads/file/disk-error.ts';
import { publishPart } from '../downloads/file/publish.ts';
import { packExists } from './pack-error.ts';
import { packParts } from './pack-format.ts';

/** One file that goes into a pack. */
export interface PackEntry {
  path: string;
  /** Whether it gets smaller by packing: JSON does, imagery doesn't. */
  isPacked: boolean;
  /** Bytes, where they are known before. A source that gives others ends the writing. */
  sizeBytes?: number;
  open(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

interface WriteOptions {
  path: string;
  entries: readonly PackEntry[];
  /** The manifest around the list of entries, which is complete once all are written. */
  toManifest: (entries: { path: string; bytes: number; sha256: string }[]) => unknown;
  onProgress: (writtenBytes: number) => void;
  signal: AbortSignal;
}

/**
 * Writes a zip as a stream, the manifest last, and gives it its name when all of it is on disk. Whatever goes wrong,
 * nothing is left. @throws AppError `exchange.file-exists`, `transfer.*`, `cancelled`
 */
export async function writePack(options: WriteOptions): Promise<void> {
  const { path, entries, toManifest, onProgress, signal } = options;
  const partPath = `${path}.${randomUUID().slice(0, 8)}.part`;
  const zip = new ZipFile();
  const written: { path: string; bytes: number; sha256: string }[] = [];
  const failure = new AbortController();
  const ended = new AbortController();
  const add = (entry: PackEntry): void => {
    const { isPacked: compress, sizeBytes: size } = entry;
    zip.addReadStreamLazy(entry.path, { compress, ...(size === undefined ? {} : { size }) }, (give) => {
      const counter = new DigestingStream((bytes, sha256) =>
        written.push({ path: entry.path, bytes, sha256 }),
      );
      // The zip doesn't close what it reads when its own stream is destroyed.
      pipeline(Readable.from(entry.open()), counter, { signal: ended.signal }).catch((thrown: unknown) =>
        failure.abort(thrown),
      );
      give(null, counter);
    });
  };
  entries.forEach(add);
  zip.addReadStreamLazy(packParts.manifest, { compress: true }, (give) => {
    give(null, Readable.from([Buffer.from(JSON.stringify(toManifest(written)))]));
  });
  zip.on('error', (thrown) => failure.abort(thrown));
  zip.end();
  try {
    const file = await open(partPath, 'wx');
    let writtenBytes = 0;
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done: TransformCallback) {
        writtenBytes += chunk.length;
        onProgress(writtenBytes);
        done(null, chunk);
      },
    });
    await pipeline(zip.outputStream, meter, file.createWriteStream({ flush: true }), {
      signal: AbortSignal.any([signal, failure.signal]),
    });
    if (await publishPart(partPath, path)) return;
    throw packExists(path);
  } catch (thrown) {
    await rm(partPath, { force: true }).catch(() => undefined);
    if (signal.aborted) throw new AppError('cancelled', 'The field pack was not made');
    throw toDiskError(failure.signal.aborted ? failure.signal.reason : thrown, path);
  } finally {
    ended.abort();
  }
}

/** The bytes of a file of a known size. */
export function fileEntry(path: string, source: { path: string; sizeBytes: number }): PackEntry {
  const { sizeBytes } = source;
  return { path, isPacked: false, sizeBytes, open: () => createReadStream(source.path) };
}

/** JSON values, one a line. */
export function linesEntry(
  path: string,
  values: () => Iterable<unknown> | AsyncIterable<unknown>,
): PackEntry {
  return {
    path,
    isPacked: true,
    async *open() {
      for await (const value of values()) yield Buffer.from(`${JSON.stringify(value)}\n`);
    },
  };
}

/** One JSON value. */
export function jsonEntry(path: string, value: unknown): PackEntry {
  return { path, isPacked: true, open: () => [Buffer.from(JSON.stringify(value))] };
}

class DigestingStream extends Transform {
  readonly #hash = createHash('sha256');
  readonly #onEnd: (bytes: number, sha256: string) => void;
  #bytes = 0;

  constructor(onEnd: (bytes: number, sha256: string) => void) {
    super();
    this.#onEnd = onEnd;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    this.#hash.update(chunk);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    this.#onEnd(this.#bytes, this.#hash.digest('hex'));
    done();
  }
}
