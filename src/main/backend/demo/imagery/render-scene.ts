import type { RasterFrame } from '../files/raster-frame.ts';
import { resampleFrame } from '../files/raster-frame.ts';
import { mixPair } from '../random.ts';
import { CoverPainter, type Cover } from './land-cover.ts';
import { noise } from './noise.ts';
import { openOutline } from './outline.ts';
import type { PictureScene } from './picture-scene.ts';
import { PlaceGrid, type PlaceSample } from './place-grid.ts';
import { drawSky, type Sky } from './sky.ts';
import { drawTerrain, pixelKm, type Terrain } from './terrain.ts';

/** An 8-bit RGB picture. */
export interface Picture {
  columns: number;
  rows: number;
  /** Three bytes a pixel, rows from north to south. Where there is no data: black. */
  rgb: Uint8Array;
  frame: RasterFrame;
}

interface Pixel {
  place: PlaceSample;
  cover: Cover;
  /** 0 land, 1 water. */
  water: number;
  isSea: boolean;
  /** Light on slopes; 1 on flat ground. */
  light: number;
  /** 0 to 1. */
  cloud: number;
  cloudTone: number;
  shadow: number;
  /** White noise, 0 to 1. */
  grain: number;
}

type Paint = (pixel: Pixel, rgb: Uint8Array, at: number) => void;

/** Draws a scene with so many columns. */
export function renderScene(scene: PictureScene, columns: number): Picture {
  const frame = resampleFrame(scene.ground, columns);
  const places = new PlaceGrid(frame, scene.timeMs);
  const terrain = drawTerrain(frame, places);
  const isInside = openOutline(frame, scene.outlines);
  const hasSky = scene.style !== 'radar' && scene.style !== 'forest-mask';
  const sky = hasSky
    ? drawSky(frame, { ...scene, seed: scene.skySeed, share: scene.cloudShare, isInside })
    : null;
  const painter = new CoverPainter();
  const paint = painters[scene.style](scene);
  const shadowAt = openShadow(sky, frame);
  const lightAt = openLight(terrain, scene, pixelKm(frame));
  const rgb = new Uint8Array(columns * frame.rows * 3);
  // One object for all pixels: a million small ones would keep the garbage collector busy.
  const { sample } = places;
  const pixel: Pixel = {
    place: sample,
    cover: painter.cover,
    water: 0,
    isSea: false,
    light: 1,
    cloud: 0,
    cloudTone: 0,
    shadow: 0,
    grain: 0,
  };
  for (let row = 0, i = 0; row < frame.rows; row += 1) {
    for (let column = 0; column < columns; column += 1, i += 1) {
      if (!isInside(column, row)) continue;
      const place = places.read(column, row);
      pixel.water = terrain.water[i] as number;
      pixel.isSea = terrain.isSea[i] === 1;
      pixel.cloud = sky ? (sky.cloud[i] as number) : 0;
      pixel.cloudTone = sky ? (sky.tone[i] as number) : 0;
      pixel.shadow = shadowAt(column, row);
      pixel.light = lightAt(column, row);
      pixel.grain = mixPair(column, row, scene.skySeed) / 2 ** 32;
      if (!pixel.isSea && pixel.cloud < 0.99) painter.paint(place, terrain.height[i] as number);
      paint(pixel, rgb, i * 3);
    }
  }
  return { columns, rows: frame.rows, rgb, frame };
}

const painters: Record<PictureScene['style'], (scene: PictureScene) => Paint> = {
  optical: openOpticalPaint,
  radar: () => paintRadar,
  'cloud-mask': () => paintCloudMask,
  'forest-mask': () => paintForestMask,
};

function openOpticalPaint({ sunElevation }: PictureScene): Paint {
  const daylight = 0.72 + 0.34 * Math.sin((Math.min(70, Math.max(5, sunElevation)) * Math.PI) / 180);
  return (pixel, rgb, at) => {
    const { cover, water, light, cloud, cloudTone, shadow, place, grain } = pixel;
    const current = noise(place.xKm / 15, place.yKm / 15 + 60);
    const silt = pixel.isSea ? 0.25 + 0.75 * current : 0.5 + 0.5 * current;
    const speckle = (grain - 0.5) * 5;
    const shade = light * daylight * (1 - 0.52 * shadow);
    const dim = daylight * (1 - 0.3 * shadow);
    const red = cover.red * shade * (1 - water) + (8 + 12 * silt) * dim * water;
    const green = cover.green * shade * (1 - water) + (26 + 22 * silt) * dim * water;
    const blue = cover.blue * shade * (1 - water) + (46 + 20 * silt) * dim * water;
    const top = 255 * cloudTone * (0.86 + 0.14 * daylight);
    // Air scatters blue over everything.
    rgb[at] = clampByte(red * 0.95 + 7 + speckle + (top - red) * cloud * 0.97);
    rgb[at + 1] = clampByte(green * 0.95 + 10 + speckle + (top - green) * cloud * 0.97);
    rgb[at + 2] = clampByte(blue * 0.94 + 15 + speckle + (top + 3 - blue) * cloud * 0.97);
  };
}

/** Backscatter: calm water is black, woods and towns are bright, fields differ; speckle over all. */
function paintRadar({ cover, water, light, grain, place }: Pixel, rgb: Uint8Array, at: number): void {
  const ground =
    62 +
    cover.field * 46 * (cover.isFarmed ? 1 : 0) +
    cover.forest * 52 +
    cover.town * 130 +
    place.moisture * 18;
  const slopes = Math.max(0.15, 1 + (light - 1) * 2.4);
  const sea = 20 + 16 * noise(place.xKm / 9, place.yKm / 9);
  const level = ground * slopes * (1 - water) + sea * water;
  const value = clampByte(level * (0.55 + 0.9 * Math.sqrt(grain)));
  rgb[at] = value;
  rgb[at + 1] = value;
  rgb[at + 2] = value;
}

function paintCloudMask({ cloud, shadow, water }: Pixel, rgb: Uint8Array, at: number): void {
  if (cloud > 0.5) rgb.set([238, 240, 242], at);
  else if (shadow > 0.5) rgb.set([96, 92, 118], at);
  else if (water > 0.5) rgb.set([38, 84, 140], at);
  else rgb.set([58, 128, 86], at);
}

function paintForestMask({ cover, water }: Pixel, rgb: Uint8Array, at: number): void {
  if (water > 0.5) rgb.set([196, 212, 224], at);
  else if (cover.forest > 0.5) rgb.set([28, 96, 56], at);
  else rgb.set([228, 220, 194], at);
}

function openShadow(
  sky: Sky | null,
  { columns, rows }: RasterFrame,
): (column: number, row: number) => number {
  if (sky === null) return () => 0;
  return (column, row) => {
    const x = column - sky.shadowColumns;
    const y = row - sky.shadowRows;
    return x < 0 || y < 0 || x >= columns || y >= rows ? 0 : (sky.cloud[y * columns + x] as number);
  };
}

/** Brighter towards the sun, darker away from it; radar looks from the side. */
function openLight(
  terrain: Terrain,
  scene: PictureScene,
  kmPerPixel: number,
): (column: number, row: number) => number {
  const azimuth = ((scene.style === 'radar' ? 100 : scene.sunAzimuth) * Math.PI) / 180;
  const [east, north] = [Math.sin(azimuth), Math.cos(azimuth)];
  const steepness =
    (3.6 / Math.max(0.2, kmPerPixel)) *
    Math.min(2, 1 / Math.tan(Math.max(0.35, (scene.sunElevation * Math.PI) / 180)) + 0.5);
  const { height, columns, rows } = terrain;
  return (column, row) => {
    const at = row * columns + column;
    const here = height[at] ?? 0;
    const right = column + 1 < columns ? (height[at + 1] ?? here) : here;
    const below = row + 1 < rows ? (height[at + columns] ?? here) : here;
    const slope = (here - right) * east + (below - here) * north;
    return Math.min(1.45, Math.max(0.42, 1 + slope * steepness));
  };
}

function clampByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}
