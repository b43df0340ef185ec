import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Where data goes. */
export interface Output {
  /** Writes data, waiting for a slow reader. Resolves to false once the reader is gone: then nothing more is wanted. */
  write(text: string): Promise<boolean>;
  /** One value as JSON: indented for a person's terminal, on one line for a program. */
  writeJson(value: unknown): Promise<boolean>;
}

/** Standard output. A reader that leaves (`… | head -1`) is no error. */
export function createOutput(stream: Writable & { isTTY?: boolean }): Output {
  let isReaderGone = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    isReaderGone = true;
  });
  const write = async (text: string): Promise<boolean> => {
    if (isReaderGone) return false;
    if (!stream.write(text)) {
      // `close` comes instead of `drain` when the reader leaves.
      await Promise.race([once(stream, 'drain'), once(stream, 'close')]).catch(() => undefined);
    }
    return !hasLeft();
  };
  const hasLeft = (): boolean => isReaderGone;
  return { write, writeJson: (value) => write(`${JSON.stringify(value, null, stream.isTTY ? 2 : 0)}\n`) };
}
