import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import { toDiskError } from '../downloads/file/disk-error.ts';
import { nameFile, tooLarge } from './exchange-error.ts';
import { exchangeLimits } from './limits.ts';

/** Files that are being handed over at once; an older one that nobody goes on with is given up. */
const maxUploads = 4;

/** A file that a window hands over, piece by piece. */
export interface Upload {
  importId: string;
  name: string;
  path: string;
  /** Milliseconds since 1970 UTC; null when it isn't known. */
  modifiedAtMs: number | null;
  sizeBytes: number;
}

/** The files that windows hand over, in a folder of their own. What an earlier run of the program left is gone. */
export class Uploads {
  readonly #folder: string;
  readonly #uploads = new Map<string, Upload>();

  constructor(folder: string) {
    this.#folder = folder;
    rmSync(folder, { recursive: true, force: true });
  }

  /** @throws AppError `exchange.too-large`, `transfer.*` */
  async begin(file: { name: string; sizeBytes: number; modifiedAtMs: number | null }): Promise<string> {
    const { name, sizeBytes, modifiedAtMs } = file;
    if (sizeBytes > exchangeLimits.fileBytes) throw nameFile(tooMuch(), name);
    const [oldest] = this.#uploads.keys();
    if (oldest !== undefined && this.#uploads.size >= maxUploads) await this.discard(oldest);
    const importId = randomUUID();
    const path = join(this.#folder, importId);
    try {
      mkdirSync(this.#folder, { recursive: true });
      await writeFile(path, '', { flag: 'wx' });
    } catch (thrown) {
      throw toDiskError(thrown, path);
    }
    this.#uploads.set(importId, { importId, name, path, modifiedAtMs, sizeBytes: 0 });
    return importId;
  }

  /** @throws AppError `exchange.too-large`, `transfer.*`, `input.invalid` for one that isn't there */
  async add(importId: string, bytes: Uint8Array): Promise<void> {
    const upload = this.get(importId);
    upload.sizeBytes += bytes.length;
    if (upload.sizeBytes > exchangeLimits.fileBytes) {
      await this.discard(importId);
      throw nameFile(tooMuch(), upload.name);
    }
    try {
      await appendFile(upload.path, bytes);
    } catch (thrown) {
      await this.discard(importId);
      throw toDiskError(thrown, upload.path);
    }
  }

  /** @throws AppError `input.invalid` */
  get(importId: string): Upload {
    const upload = this.#uploads.get(importId);
    if (upload) return upload;
    const why = 'that file is no longer here; choose it again';
    throw new AppError('input.invalid', `importId: ${why}`, { details: { field: 'importId', why } });
  }

  async discard(importId: string): Promise<void> {
    const upload = this.#uploads.get(importId);
    this.#uploads.delete(importId);
    if (upload) await rm(upload.path, { force: true });
  }
}

function tooMuch(): AppError {
  return tooLarge({
    why: `Up to ${String(exchangeLimits.fileBytes / 1e6)} MB are read.`,
    mend: 'Save fewer items in one file, or in GeoParquet.',
  });
}
