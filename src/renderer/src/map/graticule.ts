/** Distance of the graticule's lines in degrees: the first that leaves about 110 px or more between meridians. */
export function graticuleStep(zoom: number): number {
  const pixelsPerDegree = (256 * 2 ** zoom) / 360;
  const steps = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 15, 30];
  return steps.find((step) => step * pixelsPerDegree >= 110) ?? 30;
}

/** The multiples of `step` between two degrees, both included. */
export function graticuleLines(from: number, to: number, step: number): number[] {
  const lines: number[] = [];
  for (let i = Math.ceil(from / step); i * step <= to; i++) lines.push(i * step);
  return lines;
}

/** Degrees with as many decimals as they need. */
export function formatDegrees(degrees: number, positive: string, negative: string): string {
  const rounded = Number(Math.abs(degrees).toFixed(3));
  const isHalfWorld = rounded === 180;
  return `${rounded}°${rounded === 0 || isHalfWorld ? '' : degrees > 0 ? positive : negative}`;
}
