import type { Readable } from 'node:stream';

/**
 * The lines of a stream, without their ends. Whoever writes it may never end a line, so that there is a most.
 * @throws RangeError for a line of more bytes than `maxBytes` allows when they come
 */
export async function* readLines(input: Readable, maxBytes: () => number): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let size = 0;
  const take = (piece: Buffer): void => {
    pieces.push(piece);
    size += piece.length;
    if (size > maxBytes()) throw new RangeError('A line is too long');
  };
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      take(rest.subarray(0, end));
      const line = Buffer.concat(pieces).toString('utf8');
      [pieces, size] = [[], 0];
      rest = rest.subarray(end + 1);
      yield line;
    }
    take(rest);
  }
  if (size > 0) yield Buffer.concat(pieces).toString('utf8');
}
