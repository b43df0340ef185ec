/**
 * The lines of UTF-8 that comes in pieces, without their ends. Whoever writes it may never end a line, so that there is a
 * most.
 * @throws RangeError for a line of more bytes than `maxBytes` allows when they come; SyntaxError for a last line without
 *   its end, where `isEndNeeded`
 */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
  maxBytes: () => number,
  { isEndNeeded = false } = {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // What came of a line that hasn't ended.
  let pieces: Uint8Array[] = [];
  let size = 0;
  const take = (piece: Uint8Array): void => {
    size += piece.length;
    if (size > maxBytes()) throw new RangeError('A line is too long');
    pieces.push(piece);
  };
  const finish = (): string => {
    const line = decoder.decode(join(pieces, size));
    [pieces, size] = [[], 0];
    return line;
  };
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      take(chunk.subarray(start, end));
      yield finish();
      start = end + 1;
    }
    take(chunk.subarray(start));
  }
  if (size === 0) return;
  if (isEndNeeded) throw new SyntaxError('It ends in the middle of a line');
  yield finish();
}

// A letter may be cut between two pieces, so that they are put together before they are read.
function join(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = pieces;
  if (first && first.length === size) return first;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
