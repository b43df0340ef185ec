import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createIslands } from './islands.ts';
import { usePartFile } from './testing/use-part-file.ts';

const { place, bytes, open, crcOf, sizes } = usePartFile();

describe('a part file that is opened again by the same process', () => {
  const islands = createIslands();
  /** 500 bytes from the beginning on, and 600 beyond a gap. */
  async function leave(): Promise<void> {
    const part = await open({ islands });
    await part.append(bytes.subarray(0, 500));
    await part.write(2000, bytes.subarray(2000, 2600));
    await part.checkpoint();
    await part.close();
  }

  it('has what lies beyond a gap, and journals it once there is none', async () => {
    await leave();
    expect(place.journal.durableBytes).toBe(500);
    const part = await open({ islands });
    expect([part.prefixBytes, part.takenUntil(2000), part.hasIslands]).toEqual([500, 2600, true]);
    await part.append(bytes.subarray(500, 2000));
    expect([part.prefixBytes, part.hasIslands]).toEqual([2600, false]);
    await part.checkpoint();
    await part.close();
    expect(place.journal.crcs.get(2)).toBe(crcOf(2000, 2600));
    expect(readFileSync(place.path)).toEqual(bytes.subarray(0, 2600));
  });

  it.each([
    ['was changed', () => writeFileSync(place.path, bytes.subarray(1, 2600))],
    ['is not there any more', () => truncateSync(place.path, 2599)],
  ])('has none of it where it %s', async (_, harm) => {
    await leave();
    const whole = readFileSync(place.path);
    harm();
    // What the place.journal knows of is as it was.
    const harmed = readFileSync(place.path);
    whole.copy(harmed, 0, 0, 500);
    writeFileSync(place.path, harmed);
    const part = await open({ islands });
    expect([part.prefixBytes, part.takenUntil(2000), part.hasIslands]).toEqual([500, 2000, false]);
    await part.close();
    expect(statSync(place.path).size).toBe(500);
  });

  it('has none of it where it was written without CRCs', async () => {
    const part = await open({ islands, needsCrcs: () => false });
    await part.append(bytes.subarray(0, 500));
    await part.write(2000, bytes.subarray(2000, 2600));
    await part.checkpoint();
    await part.close();
    const again = await open({ islands, isProvable: true });
    expect([again.prefixBytes, again.hasIslands]).toEqual([500, false]);
    await again.close();
    expect(statSync(place.path).size).toBe(500);
  });

  it('has of it what begins with a chunk, as others take it up', async () => {
    const part = await open({ islands });
    await part.append(bytes.subarray(0, 500));
    await part.write(1700, bytes.subarray(1700, 2600));
    await part.checkpoint();
    await part.close();
    const again = await open({ islands });
    expect([again.prefixBytes, again.takenUntil(1700), again.takenUntil(2000)]).toEqual([500, 1700, 2600]);
    await again.append(bytes.subarray(500, 2000));
    expect(again.prefixBytes).toBe(2600);
    await again.close();
    expect(readFileSync(place.path)).toEqual(bytes.subarray(0, 2600));
  });

  it('has of it what begins with a piece of a chunk', async () => {
    const small = { islands, sizes: { ...sizes, pieceBytes: 250 } };
    const part = await open(small);
    await part.append(bytes.subarray(0, 500));
    await part.write(1600, bytes.subarray(1600, 1700));
    await part.write(1750, bytes.subarray(1750, 2600));
    await part.checkpoint();
    await part.close();
    const again = await open(small);
    expect([1600, 1750, 2600].map((position) => again.takenUntil(position))).toEqual([1600, 2600, 2600]);
    await again.append(bytes.subarray(500, 1750));
    expect(again.prefixBytes).toBe(2600);
    await again.checkpoint();
    await again.close();
    expect(place.journal.crcs.get(1)).toBe(crcOf(1000, 2000));
    expect(readFileSync(place.path)).toEqual(bytes.subarray(0, 2600));
  });

  it('has it no more once it was cut', async () => {
    await leave();
    const part = await open({ islands });
    expect(part.hasIslands).toBe(true);
    await part.truncate(400);
    await part.close();
    const again = await open({ islands });
    expect([again.prefixBytes, again.hasIslands]).toEqual([400, false]);
    await again.close();
  });
});
