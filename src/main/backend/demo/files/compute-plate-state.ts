import { kindOf, type Plate } from './plate-kinds.ts';
import { blockBytes, layoutOf, writePrefix } from './plate-layout.ts';
import { fillBlock } from './plate-pixels.ts';
import { md5, sha256 } from './resumable-hash.ts';

/** The hash state of a plate after its header and all its pixels, in hex. Reads the whole plate: seconds to a minute. */
export function computePlateState(plate: Plate): string {
  const kind = kindOf(plate);
  const layout = layoutOf(kind);
  const hash = kind.checksum === 'md5' ? md5 : sha256;
  const state = hash.start();
  hash.update(state, writePrefix(kind));
  const block = new Uint8Array(blockBytes);
  const blocks = (layout.pixelsEnd - layout.pixelsStart) / blockBytes;
  for (let i = 0; i < blocks; i += 1) {
    fillBlock(plate, i, block);
    hash.update(state, block);
  }
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}
