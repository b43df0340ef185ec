import { randomUUID } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import { toDiskError } from '../downloads/file/disk-error.ts';
import { isTaken, publishPart, syncFolder } from '../downloads/file/publish.ts';

/** Bytes gathered before they are written. */
const bufferBytes = 256 * 1024;

/** Where a file is to be. */
export interface FileOrder {
  path: string;
  /** In the same folder: what the file is called until it is whole. */
  temporaryPath: string;
  /** Whether a file of that name may be replaced. */
  canReplace: boolean;
}

/**
 * A file that has its name only once it is whole. Every method ends with `transfer.*` when the disk doesn't take it;
 * whoever began it ends it with `publish` or `discard`.
 */
export class OutputFile {
  readonly path: string;
  readonly #temporaryPath: string;
  readonly #file: FileHandle;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #sizeBytes = 0;

  private constructor(path: string, temporaryPath: string, file: FileHandle) {
    this.path = path;
    this.#temporaryPath = temporaryPath;
    this.#file = file;
  }

  /** Begins a file. @throws AppError `transfer.*`; `exchange.file-exists` unless what is there may be replaced */
  static async begin({ path, temporaryPath, canReplace }: FileOrder): Promise<OutputFile> {
    try {
      if (!canReplace && (await isTaken(path))) throw fileExists(path);
      return new OutputFile(path, temporaryPath, await open(temporaryPath, 'wx'));
    } catch (thrown) {
      throw toDiskError(thrown, path);
    }
  }

  get temporaryPath(): string {
    return this.#temporaryPath;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async write(chunk: string | Uint8Array): Promise<void> {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#sizeBytes += bytes.length;
    if (this.#waitingBytes >= bufferBytes) await this.#flush();
  }

  /** Gives the file its name, durably. @throws AppError `transfer.*`, `exchange.file-exists` */
  async publish({ canReplace }: { canReplace: boolean }): Promise<void> {
    await this.#flush();
    try {
      await this.#file.sync();
      await this.#file.close();
      if (canReplace) {
        await rename(this.#temporaryPath, this.path);
        await syncFolder(dirname(this.path));
        return;
      }
    } catch (thrown) {
      throw toDiskError(thrown, this.path);
    }
    if (!(await publishPart(this.#temporaryPath, this.path))) throw fileExists(this.path);
  }

  /** Leaves nothing behind. */
  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.#temporaryPath, { force: true }).catch(() => undefined);
  }

  async #flush(): Promise<void> {
    const chunks = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    try {
      // To the last byte: a single write may end early on a disk that fills up, and say nothing.
      await this.#file.writeFile(Buffer.concat(chunks));
    } catch (thrown) {
      throw toDiskError(thrown, this.path);
    }
  }
}

/** A name beside a file for what is not to be seen: hidden, and told apart from every other. */
export function toTemporaryPath(path: string): string {
  return join(dirname(path), `.${basename(path).slice(0, 100)}.${randomUUID().slice(0, 8)}.tmp`);
}

/** Where the items lie that are to be gone through once more. */
export function toSpoolPath(temporaryPath: string): string {
  return `${temporaryPath}.items`;
}

function fileExists(path: string): AppError {
  return new AppError('exchange.file-exists', `There is a file ${path} already`, { details: { path } });
}
