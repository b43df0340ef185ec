import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { usePartFile } from './testing/use-part-file.ts';

const { place, bytes, open, crcOf, sizes } = usePartFile();

describe('a part file that is opened again', () => {
  /** 500 bytes from the beginning on, and 600 beyond a gap. */
  async function leave(): Promise<void> {
    const part = await open();
    await part.append(bytes.subarray(0, 500));
    await part.write(2000, bytes.subarray(2000, 2600));
    await part.checkpoint();
    await part.close();
  }

  it('has what lies beyond a gap, and journals it once there is none', async () => {
    await leave();
    expect(place.journal.durableBytes).toBe(500);
    const part = await open();
    expect([part.prefixBytes, part.takenUntil(2000), part.gapEndBytes]).toEqual([500, 2600, 2000]);
    await part.append(bytes.subarray(500, 2000));
    expect([part.prefixBytes, part.gapEndBytes]).toEqual([2600, null]);
    await part.checkpoint();
    await part.close();
    expect(place.journal.crcs.get(2)).toBe(crcOf(2000, 2600));
    expect(readFileSync(place.path)).toEqual(bytes.subarray(0, 2600));
  });

  it('has it after a crash as well, as far as the journal knows of it', async () => {
    const killed = await open();
    await killed.append(bytes.subarray(0, 500));
    await killed.write(2000, bytes.subarray(2000, 2600));
    await killed.checkpoint();
    await killed.write(2600, bytes.subarray(2600, 2900));
    await killed.write(3000, bytes.subarray(3000, 3400));
    await killed.countEqual(0, bytes.subarray(0, 1));
    const part = await open();
    expect([500, 2000, 3000].map((position) => part.takenUntil(position))).toEqual([500, 2600, 3000]);
    expect(statSync(place.path).size).toBe(2600);
    await part.append(bytes.subarray(500, 2000));
    await part.append(bytes.subarray(2600, 3400));
    await part.checkpoint();
    await part.close();
    expect(readFileSync(place.path)).toEqual(bytes.subarray(0, 3400));
    await killed.close();
  });

  it('has it where the window had moved on before the crash', async () => {
    await leave();
    // Bytes that were taken, and not written yet, had moved it.
    writeFileSync(place.path, bytes.subarray(0, 4900));
    const islands = [{ startBytes: 4000, endBytes: 4900, crc32: crcOf(4000, 4900) }];
    const part = await open({ islands });
    expect(part.windowEndBytes).toBe(4000);
    expect(part.takenUntil(4000)).toBe(4900);
    await part.close();
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
    const part = await open();
    expect([part.prefixBytes, part.takenUntil(2000), part.gapEndBytes]).toEqual([500, 2000, null]);
    await part.close();
    expect(statSync(place.path).size).toBe(500);
  });

  it('has none of it where it was written without CRCs', async () => {
    const part = await open({ needsCrcs: () => false });
    await part.append(bytes.subarray(0, 500));
    await part.write(2000, bytes.subarray(2000, 2600));
    await part.checkpoint();
    await part.close();
    const again = await open({ isProvable: true });
    expect([again.prefixBytes, again.gapEndBytes]).toEqual([500, null]);
    await again.close();
    expect(statSync(place.path).size).toBe(500);
  });

  it('has of it what begins with a chunk, as others take it up', async () => {
    const part = await open();
    await part.append(bytes.subarray(0, 500));
    await part.write(1700, bytes.subarray(1700, 2600));
    await part.checkpoint();
    await part.close();
    const again = await open();
    expect([again.prefixBytes, again.takenUntil(1700), again.takenUntil(2000)]).toEqual([500, 1700, 2600]);
    await again.append(bytes.subarray(500, 2000));
    expect(again.prefixBytes).toBe(2600);
    await again.close();
    expect(readFileSync(place.path)).toEqual(bytes.subarray(0, 2600));
  });

  it('has of it what begins with a piece of a chunk', async () => {
    const small = { sizes: { ...sizes, pieceBytes: 250 } };
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
    const part = await open();
    expect(part.gapEndBytes).toBe(2000);
    await part.truncate(400);
    expect(place.journal.islands).toEqual([]);
    await part.close();
    const again = await open();
    expect([again.prefixBytes, again.gapEndBytes]).toEqual([400, null]);
    await again.close();
  });
});
