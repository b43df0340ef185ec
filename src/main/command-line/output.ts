import type { Writable } from 'node:stream';
import { toPrintable } from './to-printable.ts';

/** Where data goes. */
export interface Output {
  /** Writes data, waiting for a slow reader. Resolves to false once the reader is gone: then nothing more is wanted. */
  write(text: string): Promise<boolean>;
  /** Why something is lost that was to be written, such as a full disk; null as long as nothing is. */
  readonly failure: Error | null;
  /** One line for a person. Tabs part its cells, whatever they hold, and nothing in them reaches a terminal. */
  writeLine(...cells: readonly (string | number)[]): Promise<boolean>;
  /** Text for a program: as it is, but where a terminal would take what is in it for orders. */
  writeText(text: string): Promise<boolean>;
  /** One value as JSON: indented for a person's terminal, on one line for a program. */
  writeJson(value: unknown): Promise<boolean>;
}

/**
 * Standard output. A reader that leaves (`… | head -1`) is no error. Nothing else ends what the command is at: it goes on
 * without telling.
 */
export function createOutput(stream: Writable & { isTTY?: boolean }): Output {
  let isReaderGone = false;
  let failure: Error | null = null;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failure ??= error;
    isReaderGone = true;
  });
  const isTaken = (text: string): Promise<boolean> =>
    // The error of a lost write is told here before the stream tells everybody.
    new Promise((resolve) => stream.write(text, (error) => resolve(!error && !isReaderGone)));
  const write = (text: string): Promise<boolean> => (isReaderGone ? Promise.resolve(false) : isTaken(text));
  return {
    write,
    get failure() {
      return failure;
    },
    writeLine: (...cells) => write(`${cells.map(toCell).join('\t')}\n`),
    writeText: (text) => write(`${stream.isTTY ? text.split('\n').map(toPrintable).join('\n') : text}\n`),
    writeJson: (value) => write(`${JSON.stringify(value, null, stream.isTTY ? 2 : 0)}\n`),
  };
}

function toCell(content: string | number): string {
  return toPrintable(String(content).replace(/[\t\r\n]/g, ' '));
}
