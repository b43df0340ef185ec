import type { Position } from 'geojson';

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A ring around a random place whose corners go round it once, so that it never crosses itself. Radius in degrees. */
export function drawStar(
  random: () => number,
  { corners, radius, roughness = 0.6 }: { corners: number; radius: number; roughness?: number },
): Position[] {
  const x = random() * 360 - 180;
  const y = (random() * 2 - 1) * Math.max(0, 85 - radius);
  return Array.from({ length: corners }, (_, index): Position => {
    const angle = ((index + random() * 0.8) / corners) * 2 * Math.PI;
    const reach = radius * (1 - roughness * random());
    return [x + Math.cos(angle) * reach, y + Math.sin(angle) * reach];
  });
}
