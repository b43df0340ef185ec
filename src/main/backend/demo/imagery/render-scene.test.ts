import { decode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { sampleOf } from '../testing/sample-items.ts';
import { encodePng } from './encode-png.ts';
import { drawLand } from './land-raster.ts';
import { toPictureScene } from './picture-scene.ts';
import { renderScene, type Picture } from './render-scene.ts';

function render({ item }: IdentifiedItem, changes: { cloudShare?: number } = {}): Picture {
  const scene = toPictureScene(item);
  if (scene === null) throw new Error('no scene');
  return renderScene({ ...scene, ...changes }, 128);
}

/** Share of the pixels with data that are as bright and colourless as clouds. */
function whiteShare({ rgb }: Picture): number {
  let white = 0;
  let all = 0;
  for (let i = 0; i < rgb.length; i += 3) {
    const [red = 0, green = 0, blue = 0] = rgb.subarray(i, i + 3);
    if (red + green + blue > 0) all += 1;
    if (Math.min(red, green, blue) > 150) white += 1;
  }
  return white / all;
}

describe('pictures', () => {
  it('are the same for the same item', () => {
    const item = sampleOf('sentinel-2-l2a');
    expect(Buffer.from(render(item).rgb).equals(render(item).rgb)).toBe(true);
  });

  it('are PNGs that others decode', () => {
    const picture = render(sampleOf('sentinel-2-l2a'));
    const decoded = decode(encodePng(picture));
    expect([decoded.width, decoded.height, decoded.channels]).toEqual([128, 128, 3]);
    expect(Buffer.from(decoded.data).equals(picture.rgb)).toBe(true);
  });

  it('show clouds over about the share that the item says, and none at 0 %', () => {
    const item = sampleOf('sentinel-2-l2a', (percent) => percent > 5 && percent < 20);
    const bare = whiteShare(render(item, { cloudShare: 0 }));
    expect(bare).toBeLessThan(0.05);
    for (const share of [0.2, 0.5, 0.8]) {
      expect(Math.abs(whiteShare(render(item, { cloudShare: share })) - share)).toBeLessThan(0.15);
    }
    expect(whiteShare(render(item, { cloudShare: 1 }))).toBeGreaterThan(0.95);
  });

  it('show the same ground on another day', () => {
    const item = sampleOf('sentinel-2-l2a');
    const scene = toPictureScene(item.item);
    if (scene === null) throw new Error('no scene');
    const first = renderScene({ ...scene, cloudShare: 0 }, 96);
    const later = renderScene(
      { ...scene, cloudShare: 0, skySeed: 7, timeMs: scene.timeMs + 3 * 86_400_000 },
      96,
    );
    const differences = first.rgb.map((value, i) => Math.abs(value - (later.rgb[i] ?? 0)));
    expect(Math.max(...differences)).toBeLessThan(40);
  });

  it('frame tilted scenes in black', () => {
    const { rgb, columns } = render(sampleOf('landsat-c2l2-sr'));
    expect([...rgb.subarray(0, 3)]).toEqual([0, 0, 0]);
    const middle = (64 * columns + 64) * 3;
    expect(rgb[middle + 2]).toBeGreaterThan(0);
  });

  it('are grey for radar', () => {
    const { rgb } = render(sampleOf('sentinel-1-rtc'));
    for (let i = 0; i < rgb.length; i += 3) expect(rgb[i]).toBe(rgb[i + 2]);
  });
});

describe('coastlines', () => {
  const share = (land: Uint8Array): number => land.reduce((sum, value) => sum + value, 0) / land.length;

  it('are the real ones', () => {
    // Brittany: land in the east, sea in the west and north.
    const frame = { epsg: 4326, left: -6, top: 49.5, pixelSize: 0.02, columns: 200, rows: 100 };
    const land = drawLand(frame);
    const at = (lon: number, lat: number): number | undefined =>
      land[Math.floor((49.5 - lat) / 0.02) * 200 + Math.floor((lon + 6) / 0.02)];
    expect(at(-2.5, 48.1)).toBe(1);
    expect(at(-5.5, 48.9)).toBe(0);
    expect(at(-4, 47.6)).toBe(0);
    expect(share(land)).toBeGreaterThan(0.3);
    expect(share(land)).toBeLessThan(0.7);
  });

  it('go on beyond the antimeridian', () => {
    // Chukotka lies on both sides.
    const frame = { epsg: 4326, left: 178, top: 68, pixelSize: 0.05, columns: 100, rows: 20 };
    const land = drawLand(frame);
    expect(land[10 * 100 + 10]).toBe(1);
    expect(land[10 * 100 + 60]).toBe(1);
  });
});
