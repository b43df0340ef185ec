import { describe, expect, it } from 'vitest';
import { createRangePlan, type ClaimLimits } from './range-plan.ts';

const pieceBytes = 100;
const four: ClaimLimits = { pieceCount: 4, connections: 1, windowPieces: 20 };

/** A plan for a file of which some stretches are there, beyond a prefix too. */
function plan({
  totalBytes = 4000,
  prefixBytes = 0,
  taken = [] as [start: number, end: number][],
  hasMain = false,
} = {}) {
  const part = {
    prefixBytes,
    windowEndBytes: (Math.floor(prefixBytes / pieceBytes) + 20) * pieceBytes,
    takenUntil: (position: number) =>
      [[0, prefixBytes] as const, ...taken].find(
        ([start, end]) => start <= position && position < end,
      )?.[1] ?? position,
  };
  const made = createRangePlan(part, { totalBytes, endBytes: null, pieceBytes });
  if (!hasMain) made.releaseMain();
  return { ...made, part };
}

describe('who brings which pieces', () => {
  it('gives each connection some pieces that follow one another', () => {
    const { claim } = plan({ prefixBytes: 30 });
    expect(claim(four)).toEqual({ startBytes: 30, endBytes: 400 });
    expect(claim({ ...four, pieceCount: 1 })).toEqual({ startBytes: 400, endBytes: 500 });
    expect(claim(four)).toEqual({ startBytes: 500, endBytes: 900 });
  });

  it('gives all of them again once they are released', () => {
    const { claim, release } = plan({ prefixBytes: 30 });
    const first = claim(four);
    if (first) release(first);
    expect(claim(four)).toEqual(first);
  });

  it('does not go beyond the window', () => {
    const { claim } = plan();
    expect(claim({ ...four, windowPieces: 3 })).toEqual({ startBytes: 0, endBytes: 300 });
    expect(claim({ ...four, windowPieces: 3 })).toBeNull();
  });

  it('asks for nothing that is there', () => {
    const taken: [number, number][] = [
      [200, 250],
      [300, 400],
    ];
    const { claim } = plan({ taken });
    expect(claim(four)).toEqual({ startBytes: 0, endBytes: 200 });
    expect(claim(four)).toEqual({ startBytes: 250, endBytes: 300 });
    expect(claim(four)).toEqual({ startBytes: 400, endBytes: 800 });
  });

  it('leaves something for all connections towards the end', () => {
    const { claim } = plan({ totalBytes: 650 });
    const limits = { ...four, connections: 4 };
    const claims = [1, 2, 3, 4, 5].map(() => claim(limits));
    expect(claims.map((one) => one?.endBytes)).toEqual([200, 400, 600, 650, undefined]);
  });

  it('lets those that begin one after the other end together', () => {
    // The first of four is done; of the others’ pieces a quarter, a half and three quarters are there.
    const begun: [number, number][] = [
      [400, 425],
      [500, 550],
      [600, 675],
    ];
    const { claim } = plan({ totalBytes: 1400, prefixBytes: 400, taken: begun });
    const limits = { ...four, connections: 4 };
    for (const start of [425, 550, 675]) expect(claim({ ...limits, pieceCount: 1 })?.startBytes).toBe(start);
    expect(claim(limits)).toEqual({ startBytes: 700, endBytes: 900 });
  });

  it('ends a body at what others have brought, though it came up to there to the byte', () => {
    const { part, reserve } = plan({ hasMain: true });
    expect(reserve(200)).toBe(200);
    // Its last piece joins it to what lay beyond.
    part.prefixBytes = 800;
    expect(reserve(250)).toBe(200);
  });

  it('leave a body that goes on to the end its share', () => {
    const { claim, reserve } = plan({ totalBytes: 2000, hasMain: true });
    const limits = { ...four, pieceCount: 8, connections: 4 };
    const claims = [1, 2, 3, 4].map(() => claim(limits));
    expect(claims.map((one) => one?.startBytes)).toEqual([500, 1000, 1500, undefined]);
    expect(reserve(700)).toBe(500);
  });
});
