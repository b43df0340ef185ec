import { open, rm, type FileHandle } from 'node:fs/promises';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { toDiskError } from '../downloads/file/disk-error.ts';

const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const headBytes = 4;

/** Items on the disk, to be gone through once more: what a table's columns are is known only after the last item. */
export class ItemSpool {
  readonly #path: string;
  readonly #file: FileHandle;
  #endOffset = 0;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** Begins an empty one. @throws AppError `transfer.*` */
  static async begin(path: string): Promise<ItemSpool> {
    try {
      return new ItemSpool(path, await open(path, 'wx+'));
    } catch (thrown) {
      throw toDiskError(thrown, path);
    }
  }

  /** @throws AppError `transfer.*` */
  async add(items: readonly IdentifiedItem[]): Promise<void> {
    const packed = zstdCompressSync(JSON.stringify(items), fast);
    const head = Buffer.alloc(headBytes);
    head.writeUInt32LE(packed.length);
    try {
      // To the last byte, behind what was added before.
      await this.#file.writeFile(Buffer.concat([head, packed]));
    } catch (thrown) {
      throw toDiskError(thrown, this.#path);
    }
    this.#endOffset += headBytes + packed.length;
  }

  /** All items in their order, in the batches in which they came. */
  async *batches(): AsyncGenerator<IdentifiedItem[]> {
    let offset = 0;
    while (offset < this.#endOffset) {
      const head = await this.#read(offset, headBytes);
      const packed = await this.#read(offset + headBytes, head.readUInt32LE());
      offset += headBytes + packed.length;
      yield JSON.parse(zstdDecompressSync(packed).toString()) as IdentifiedItem[];
    }
  }

  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.#path, { force: true }).catch(() => undefined);
  }

  async #read(offset: number, length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(length), 0, length, offset);
    if (bytesRead < length) throw new Error('the spooled items ended early');
    return buffer;
  }
}
