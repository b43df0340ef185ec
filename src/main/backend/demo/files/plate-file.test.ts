import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readDirectories } from '../testing/read-tiff.ts';
import { describePlateFile, readPlateFile } from './plate-file.ts';
import { kindOf, plateKinds, type Plate, type PlateKindName } from './plate-kinds.ts';
import { blockBytes, layoutOf } from './plate-layout.ts';
import { computePlateState } from './compute-plate-state.ts';
import { plateStates } from './plate-states.ts';
import { resampleFrame, type RasterFrame } from './raster-frame.ts';

const ground: RasterFrame = {
  epsg: 32631,
  left: 600_000,
  top: 5_400_000,
  pixelSize: 10,
  columns: 10_980,
  rows: 10_980,
};
const small: Plate = { name: 's2-60m', variant: 0 };

async function read(plate: Plate, start: number, end: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of readPlateFile(plate, { ground, start, end })) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('plates', () => {
  it.each([0, 1])('hash to what the catalog says (variant %s)', async (variant) => {
    const plate: Plate = { ...small, variant };
    const { sizeBytes, checksum } = describePlateFile(plate, ground);
    const whole = await read(plate, 0, sizeBytes);
    expect(whole.byteLength).toBe(sizeBytes);
    expect(checksum).toBe(`1220${createHash('sha256').update(whole).digest('hex')}`);
  });

  it('differ from place to place only in their directory', () => {
    const there: RasterFrame = { ...ground, epsg: 32756, left: 300_000 };
    const here = describePlateFile(small, ground);
    expect(describePlateFile(small, there).sizeBytes).toBe(here.sizeBytes);
    expect(describePlateFile(small, there).checksum).not.toBe(here.checksum);
  });

  it.each([
    ['the header', 0, 10],
    ['header and pixels', 4000, 5000],
    ['the edge of two blocks', 4096 + blockBytes - 3, 4096 + blockBytes + 3],
    ['the middle', 3_000_001, 3_400_007],
    ['pixels and directory', 8_392_500, 8_392_994],
    ['nothing', 77, 77],
  ])('give %s as a slice of the whole', async (_, start, end) => {
    const whole = await read(small, 0, describePlateFile(small, ground).sizeBytes);
    expect((await read(small, start, end)).equals(whole.subarray(start, end))).toBe(true);
  });

  it('are TIFFs at the right place', async () => {
    const [directory] = readDirectories(await read(small, 0, describePlateFile(small, ground).sizeBytes));
    expect(directory?.tags.get(256)).toEqual([1830]);
    expect(directory?.tags.get(33550)?.[0]).toBeCloseTo(60);
    expect(directory?.tags.get(33922)?.slice(3, 5)).toEqual([600_000, 5_400_000]);
    expect(directory?.tags.get(34735)).toContain(32631);
  });

  it('keep the states that their pixels have', () => {
    expect(computePlateState(small)).toBe(plateStates['s2-60m/0']);
  });

  it('have a state each', () => {
    const names = Object.entries(plateKinds).flatMap(([name, { variants }]) =>
      Array.from({ length: variants }, (_, variant) => `${name}/${variant}`),
    );
    expect(Object.keys(plateStates).sort()).toEqual(names.sort());
  });

  it('can be 10 GB and read at their end at once', async () => {
    const plate: Plate = { name: 'sky-sharp-50cm', variant: 0 };
    const { sizeBytes } = describePlateFile(plate, ground);
    expect(sizeBytes).toBeGreaterThan(10e9);
    expect(layoutOf(kindOf(plate)).isBigTiff).toBe(true);
    const head = await read(plate, 0, 16);
    expect(head.readUInt16LE(2)).toBe(43);
    expect(Number(head.readBigUInt64LE(8))).toBe(layoutOf(kindOf(plate)).pixelsEnd);
    const { pixelsEnd } = layoutOf(kindOf(plate));
    const directory = await read(plate, pixelsEnd, sizeBytes);
    // Entries have 20 bytes. Four SHORTs fit into theirs, where a reader looks for them.
    const entries = Array.from({ length: Number(directory.readBigUInt64LE(0)) }, (_, i) => 8 + i * 20);
    const bits = entries.find((entry) => directory.readUInt16LE(entry) === 258) ?? 0;
    expect([0, 2, 4, 6].map((at) => directory.readUInt16LE(bits + 12 + at))).toEqual([16, 16, 16, 16]);
  });

  it('are of realistic size', () => {
    for (const name of Object.keys(plateKinds) as PlateKindName[]) {
      if (name === 's2-60m') continue;
      expect(describePlateFile({ name, variant: 0 }, ground).sizeBytes).toBeGreaterThan(20e6);
    }
  });
});

describe('frames', () => {
  it('cover the same ground when resampled', () => {
    expect(resampleFrame(ground, 5490)).toEqual({ ...ground, pixelSize: 20, columns: 5490, rows: 5490 });
  });
});
