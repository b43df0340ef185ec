import { describe, expect, it } from 'vitest';
import { createClaimSize, type RangeTimes } from './claim-size.ts';

const chunkBytes = 16 * 1024 * 1024;
const far: RangeTimes = { waitMs: 130, bodyMs: 640, bytes: chunkBytes };

const windowChunks = 28;

function after(...times: RangeTimes[]) {
  const size = createClaimSize({ chunkBytes, windowChunks });
  for (const one of times) size.note(one);
  return size.limits;
}

describe('how many chunks are asked for at once', () => {
  it('is one at first, and where answers come soon', () => {
    const one = { chunkCount: 1, windowChunks: 4 };
    expect(after()).toEqual(one);
    expect(after(...Array<RangeTimes>(8).fill({ ...far, waitMs: 25 }))).toEqual(one);
  });

  it('is more where the way is long, with room for all connections', () => {
    expect(after(far)).toEqual({ chunkCount: 6, windowChunks: 28 });
    expect(after(far, far)).toEqual({ chunkCount: 6, windowChunks: 28 });
    const nearer = { ...far, waitMs: 50 };
    expect(after(nearer, nearer)).toEqual({ chunkCount: 2, windowChunks: 12 });
  });

  it('is one where a chunk takes long: to give the window up would cost much time', () => {
    const slow = { ...far, waitMs: 600, bodyMs: 9000 };
    expect(after(slow, slow).chunkCount).toBe(1);
  });

  it('does not take a busy moment for a long way', () => {
    expect(after({ ...far, waitMs: 10 }, { ...far, waitMs: 900 }).chunkCount).toBe(1);
  });

  it('goes by the speed of a whole chunk though only a piece was missing', () => {
    const piece = { ...far, bodyMs: 64, bytes: chunkBytes / 10 };
    expect(after(piece, piece)).toEqual(after(far, far));
  });
});
