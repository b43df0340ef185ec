import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Picture } from '../imagery/render-scene.ts';
import { toPictureScene } from '../imagery/picture-scene.ts';
import { renderScene } from '../imagery/render-scene.ts';
import { readDirectories, readTile } from '../testing/read-tiff.ts';
import { sampleOf } from '../testing/sample-items.ts';
import { encodeCog } from './encode-cog.ts';

const gdal = 'gdalinfo';

function drawSample(): Picture {
  const scene = toPictureScene(sampleOf('sentinel-2-l2a').item);
  if (scene === null) throw new Error('no scene');
  return renderScene(scene, 600);
}

function hasGdal(): boolean {
  try {
    execFileSync(gdal, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('the true colour image', () => {
  const picture = drawSample();
  const file = encodeCog(picture);
  const directories = readDirectories(file);

  it('has overviews down to one tile, each half as large', () => {
    expect(directories.map(({ tags }) => tags.get(256)?.[0])).toEqual([600, 300, 150]);
    expect(directories.map(({ tags }) => tags.get(254)?.[0])).toEqual([0, 1, 1]);
  });

  it('has all directories before all pixels, and the smallest overview first', () => {
    const firstTiles = directories.map(({ tags }) => tags.get(324)?.[0] ?? 0);
    expect(Math.max(...directories.map(({ offset }) => offset))).toBeLessThan(Math.min(...firstTiles));
    expect([...firstTiles].sort((a, b) => b - a)).toEqual(firstTiles);
  });

  it('lies where the item lies', () => {
    const [main] = directories;
    expect(main?.tags.get(33550)?.[0]).toBeCloseTo(109_800 / 600);
    expect(main?.tags.get(33922)?.slice(3, 5)).toEqual([picture.frame.left, picture.frame.top]);
    expect(main?.tags.get(34735)?.slice(-1)).toEqual([picture.frame.epsg]);
  });

  it('gives back the pixels that were drawn', () => {
    const [main] = directories;
    if (!main) throw new Error('no directory');
    // 600 pixels are three tiles across: the fifth is in the middle.
    const tile = readTile(file, main, 4);
    const at = ((256 + 7) * 600 + 256 + 9) * 3;
    expect([...tile.subarray((7 * 256 + 9) * 3, (7 * 256 + 9) * 3 + 3)]).toEqual([
      ...picture.rgb.subarray(at, at + 3),
    ]);
  });

  it.skipIf(!hasGdal())('is opened by GDAL, with its place and its overviews', () => {
    const folder = mkdtempSync(join(tmpdir(), 'swath-cog-'));
    try {
      const path = join(folder, 'visual.tif');
      writeFileSync(path, file);
      const info = JSON.parse(execFileSync(gdal, ['-json', '-checksum', path], { encoding: 'utf8' })) as {
        size: number[];
        coordinateSystem: { wkt: string };
        bands: { overviews: unknown[]; checksum: number }[];
      };
      expect(info.size).toEqual([600, 600]);
      expect(info.coordinateSystem.wkt).toContain(`"EPSG",${picture.frame.epsg}`);
      expect(info.bands).toHaveLength(3);
      expect(info.bands[0]?.overviews).toHaveLength(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
