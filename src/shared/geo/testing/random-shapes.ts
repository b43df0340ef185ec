import type { Position } from 'geojson';

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
