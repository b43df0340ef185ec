import { allocatePages } from './pages.ts';

const blockBytes = 1024 * 1024;
// V8 doesn't hurry to collect memory that threads share: what there is of it is used again, and there is no more.
const mostBlocksOnPages = 48;

interface Facts {
  filledBytes: number;
  returnedBytes: number;
  isFull: boolean;
}

// Memory that comes and goes by the gigabyte costs more than what is read into it, so it is used again.
const spare: SharedArrayBuffer[] = [];
let blocksOnPages = 0;
// What a body leaves unread when it is broken off is never given back.
const lost = new FinalizationRegistry(() => (blocksOnPages -= 1));
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
  const memory = spare.pop() ?? allocateBlock();
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
  reuseWhenDone(bytes.buffer, facts);
}

function allocateBlock(): ArrayBufferLike {
  if (blocksOnPages === mostBlocksOnPages) return Buffer.allocUnsafeSlow(blockBytes).buffer;
  blocksOnPages += 1;
  const memory = allocatePages(blockBytes);
  lost.register(memory, null);
  return memory;
}

function reuseWhenDone(memory: ArrayBufferLike, { isFull, filledBytes, returnedBytes }: Facts): void {
  if (!isFull || returnedBytes !== filledBytes) return;
  known.delete(memory);
  if (memory instanceof SharedArrayBuffer) spare.push(memory);
}
