import { TextDecoder } from 'node:util';
import { unreadable } from '../exchange-error.ts';

/** Text that is to be UTF-8. @throws AppError `exchange.unreadable` where it isn't, rather than changing its letters */
export function decodeUtf8(bytes: Uint8Array, place: string): string {
  return decode(new TextDecoder('utf-8', { fatal: true }), bytes, { place, isLast: true });
}

/** The same of a file that comes in pieces. @throws AppError `exchange.unreadable` */
export async function* decodeUtf8Pieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of pieces) yield decode(decoder, piece, { place: '', isLast: false });
  yield decode(decoder, new Uint8Array(), { place: '', isLast: true });
}

function decode(
  decoder: TextDecoder,
  bytes: Uint8Array,
  { place, isLast }: { place: string; isLast: boolean },
): string {
  try {
    return decoder.decode(bytes, { stream: !isLast });
  } catch {
    throw unreadable({
      place,
      why: 'Its text is not UTF-8.',
      mend: 'Save it as UTF-8; Excel calls that “CSV UTF-8”.',
    });
  }
}
