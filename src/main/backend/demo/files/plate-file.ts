import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { kindOf, plateKinds, type Plate, type PlateKindName } from './plate-kinds.ts';
import { blockBytes, layoutOf, writePrefix, writeTail } from './plate-layout.ts';
import { fillBlock } from './plate-pixels.ts';
import { plateStates } from './plate-states.ts';
import { resampleFrame, type RasterFrame } from './raster-frame.ts';
import { md5, sha256 } from './resumable-hash.ts';

const blocksPerTurn = 16;
const states = new Map<string, Uint32Array>();

/** Size and checksum of a file as the catalog gives them. */
export interface FileFacts {
  sizeBytes: number;
  /** `file:checksum`; null for a kind that the catalog gives none for. */
  checksum: string | null;
}

/** One of the plates of a kind, always the same for the same bits. */
export function choosePlate(name: PlateKindName, bits: number): Plate {
  return { name, variant: bits % plateKinds[name].variants };
}

/** Size and checksum of a plate lying on a ground, in microseconds: the hash goes on from the kept state of the plate. */
export function describePlateFile(plate: Plate, ground: RasterFrame): FileFacts {
  const kind = kindOf(plate);
  const { pixelsEnd } = layoutOf(kind);
  const tail = tailOf(plate, ground);
  const sizeBytes = pixelsEnd + tail.byteLength;
  if (kind.checksum === 'none') return { sizeBytes, checksum: null };
  const state = stateOf(plate);
  const checksum =
    kind.checksum === 'md5'
      ? md5.finish(state, pixelsEnd, tail)
      : `1220${sha256.finish(state, pixelsEnd, tail)}`;
  return { sizeBytes, checksum };
}

/** Names the bytes of a plate on a ground without reading them. */
export function plateTag(plate: Plate, ground: RasterFrame): string {
  return createHash('sha256')
    .update(`${plate.name}/${plate.variant}`)
    .update(tailOf(plate, ground))
    .digest('hex')
    .slice(0, 32);
}

/** Bytes of a plate from `start` to `end`, `end` excluded, in pieces of up to 64 KiB. Costs no disk and no memory. */
export async function* readPlateFile(
  plate: Plate,
  { ground, start, end }: { ground: RasterFrame; start: number; end: number },
): AsyncGenerator<Uint8Array> {
  const kind = kindOf(plate);
  const { pixelsStart, pixelsEnd } = layoutOf(kind);
  if (start < pixelsStart) yield writePrefix(kind).subarray(start, Math.min(end, pixelsStart));
  let position = Math.max(start, pixelsStart);
  while (position < Math.min(end, pixelsEnd)) {
    const block = Math.floor((position - pixelsStart) / blockBytes);
    const blockStart = pixelsStart + block * blockBytes;
    const bytes = new Uint8Array(blockBytes);
    fillBlock(plate, block, bytes);
    yield bytes.subarray(position - blockStart, Math.min(end - blockStart, blockBytes));
    // Pixels come without waiting for anything: a reader as fast would leave no turn to others.
    if (block % blocksPerTurn === 0) await setImmediate();
    position = blockStart + blockBytes;
  }
  if (end > pixelsEnd) yield tailOf(plate, ground).subarray(Math.max(0, start - pixelsEnd), end - pixelsEnd);
}

function tailOf(plate: Plate, ground: RasterFrame): Buffer {
  return writeTail(plate, resampleFrame(ground, kindOf(plate).columns));
}

function stateOf(plate: Plate): Uint32Array {
  const name = `${plate.name}/${plate.variant}`;
  const known = states.get(name);
  if (known) return known;
  const state = Uint32Array.from((plateStates[name] ?? '').match(/.{8}/g) ?? [], (word) =>
    Number.parseInt(word, 16),
  );
  states.set(name, state);
  return state;
}
