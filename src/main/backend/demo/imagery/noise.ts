import { createRandom } from '../random.ts';

const side = 256;
const lattice = createLattice();
// Octaves are turned against each other, so that the square lattice doesn't show.
const [cosine, sine] = [Math.cos(0.65), Math.sin(0.65)];

/** Smooth noise, 0 to 1, with features of about one unit. Repeats every 256 units. */
export function noise(x: number, y: number): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const fx = x - column;
  const fy = y - row;
  const sx = fx * fx * (3 - 2 * fx);
  const sy = fy * fy * (3 - 2 * fy);
  const left = column & 255;
  const right = (column + 1) & 255;
  const top = (row & 255) << 8;
  const bottom = ((row + 1) & 255) << 8;
  const a = lattice[top | left] as number;
  const b = lattice[top | right] as number;
  const c = lattice[bottom | left] as number;
  const d = lattice[bottom | right] as number;
  const upper = a + (b - a) * sx;
  return upper + (c + (d - c) * sx - upper) * sy;
}

/** Noise of several octaves, each half as large and half as strong; 0 to 1, mostly 0.25 to 0.75. */
export function fractalNoise(x: number, y: number, octaves: number): number {
  let sum = 0;
  let weight = 0.5;
  let total = 0;
  let u = x;
  let v = y;
  for (let i = 0; i < octaves; i += 1) {
    sum += noise(u, v) * weight;
    total += weight;
    weight *= 0.5;
    const turned = (u * cosine - v * sine) * 2 + 17.3;
    v = (u * sine + v * cosine) * 2 + 41.7;
    u = turned;
  }
  return sum / total;
}

/** Noise of sharp crests and wide valleys, 0 to 1: what mountains look like from above. */
export function ridgedNoise(x: number, y: number, octaves: number): number {
  let sum = 0;
  let weight = 0.5;
  let total = 0;
  let u = x;
  let v = y;
  for (let i = 0; i < octaves; i += 1) {
    const crest = 1 - Math.abs(noise(u, v) * 2 - 1);
    sum += crest * crest * weight;
    total += weight;
    weight *= 0.5;
    const turned = (u * cosine - v * sine) * 2 + 17.3;
    v = (u * sine + v * cosine) * 2 + 41.7;
    u = turned;
  }
  return sum / total;
}

/** 0 below `low`, 1 above `high`, smooth between. `low` may be the greater one. */
export function smoothstep(low: number, high: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return t * t * (3 - 2 * t);
}

function createLattice(): Float32Array {
  const random = createRandom(1968);
  return Float32Array.from({ length: side * side }, () => random.next());
}
