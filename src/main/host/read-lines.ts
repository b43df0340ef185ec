import type { Readable } from 'node:stream';

/**
 * The lines of a stream, without their ends. Whoever writes it may never end a line, so that there is a most.
 * @throws RangeError for a line of more bytes than `maxBytes` allows when they come
 */
export async function* readLines(input: Readable, maxBytes: () => number): AsyncGenerator<string> {
  // What came of a line that hasn't ended.
  let pieces: Buffer[] = [];
  let size = 0;
  const count = (bytes: number): void => {
    size += bytes;
    if (size > maxBytes()) throw new RangeError('A line is too long');
  };
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      count(end - start);
      yield pieces.length === 0
        ? chunk.toString('utf8', start, end)
        : Buffer.concat([...pieces, chunk.subarray(start, end)]).toString('utf8');
      [pieces, size] = [[], 0];
      start = end + 1;
    }
    count(chunk.length - start);
    pieces.push(chunk.subarray(start));
  }
  if (size > 0) yield Buffer.concat(pieces).toString('utf8');
}
