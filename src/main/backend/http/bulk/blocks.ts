import { allocatePages } from './pages.ts';

const blockBytes = 1024 * 1024;
const mostSpareBlocks = 24;

interface Facts {
  filledBytes: number;
  returnedBytes: number;
  isFull: boolean;
}

// Memory that comes and goes by the gigabyte costs more than what is read into it, so it is used again.
const spare: SharedArrayBuffer[] = [];
const known = new WeakMap<ArrayBufferLike, Facts>();

/** Memory that is filled from its beginning to its end. */
export interface Block {
  /** Where the next bytes go. */
  room(): Buffer;
  readonly roomBytes: number;
  /** So many bytes have come; gives them. */
  fill(count: number): Buffer;
  /** Nothing more goes into it. */
  retire(): void;
}

/** A block of a megabyte, that is filled from `offset` on. */
export function takeBlock(offset = 0): Block {
  const memory = spare.pop() ?? allocatePages(blockBytes);
  const facts = { filledBytes: offset, returnedBytes: offset, isFull: false };
  known.set(memory, facts);
  return {
    room: () => Buffer.from(memory, facts.filledBytes),
    get roomBytes() {
      return blockBytes - facts.filledBytes;
    },
    fill(count) {
      const bytes = Buffer.from(memory, facts.filledBytes, count);
      facts.filledBytes += count;
      return bytes;
    },
    retire() {
      facts.isFull = true;
      reuseWhenDone(memory, facts);
    },
  };
}

/** Gives back bytes that nobody looks at any more. Those of other memory are no matter; never give any back twice. */
export function giveBack(bytes: Uint8Array): void {
  const facts = known.get(bytes.buffer);
  if (facts === undefined) return;
  facts.returnedBytes += bytes.length;
  reuseWhenDone(bytes.buffer as SharedArrayBuffer, facts);
}

function reuseWhenDone(memory: SharedArrayBuffer, { isFull, filledBytes, returnedBytes }: Facts): void {
  if (!isFull || returnedBytes !== filledBytes) return;
  known.delete(memory);
  if (spare.length < mostSpareBlocks) spare.push(memory);
}
