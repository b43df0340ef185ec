const dayMs = 86_400_000;

/** How wet land is: 0 desert, 1 rain forest. Weighted by distance between these. */
const moistureAnchors: readonly (readonly [lon: number, lat: number, moisture: number])[] = [
  [-4, 57, 0.85],
  [2, 48, 0.62],
  [10, 52, 0.62],
  [-6, 40, 0.32],
  [14, 41, 0.42],
  [22, 38, 0.32],
  [20, 50, 0.58],
  [30, 48, 0.42],
  [38, 55, 0.58],
  [16, 64, 0.66],
  [27, 68, 0.6],
  [45, 45, 0.22],
  [32, 39, 0.3],
  [-124, 47, 0.9],
  [-119, 37, 0.28],
  [-114, 36, 0.07],
  [-108, 42, 0.25],
  [-100, 38, 0.38],
  [-93, 42, 0.58],
  [-84, 33, 0.7],
  [-75, 43, 0.72],
  [-72, 50, 0.68],
  [-105, 52, 0.38],
  [-100, 60, 0.55],
  [-120, 62, 0.55],
  [-152, 64, 0.55],
  [-95, 70, 0.4],
  [-102, 24, 0.18],
  [-97, 18, 0.55],
  [-89, 17, 0.8],
  [-62, -4, 1],
  [-54, -3, 0.97],
  [-50, -14, 0.6],
  [-40, -9, 0.28],
  [-46, -21, 0.62],
  [-53, -28, 0.7],
  [-62, -25, 0.4],
  [72, 27, 0.1],
  [76, 30, 0.4],
  [78, 22, 0.5],
  [76, 16, 0.36],
  [76, 10, 0.85],
  [84, 21, 0.6],
  [92, 25, 0.9],
  [80, 34, 0.15],
  [133, -25, 0.05],
  [121, -26, 0.08],
  [140, -29, 0.07],
  [116, -33, 0.42],
  [147, -35, 0.42],
  [152, -29, 0.6],
  [146, -38, 0.72],
  [132, -14, 0.55],
  [144, -17, 0.55],
  [146, -42, 0.85],
  [10, 24, 0.02],
  [28, 22, 0.02],
  [-5, 20, 0.03],
  [20, 2, 0.95],
  [5, 8, 0.7],
  [25, -22, 0.25],
  [35, 0, 0.5],
  [47, 23, 0.03],
  [60, 35, 0.1],
  [65, 55, 0.45],
  [90, 60, 0.6],
  [125, 62, 0.5],
  [105, 44, 0.08],
  [85, 40, 0.04],
  [113, 30, 0.75],
  [140, 38, 0.8],
  [102, 15, 0.7],
  [113, 0, 1],
  [-70, -38, 0.2],
  [-72, -45, 0.85],
  [175, -40, 0.8],
  [178, -17.7, 0.85],
  [-42, 72, 0.2],
];

/** 0 (desert) to 1 (rain forest) at a place. */
export function moistureAt(lon: number, lat: number): number {
  const shrink = Math.cos((lat * Math.PI) / 180);
  let weights = 0;
  let sum = 0;
  for (const [anchorLon, anchorLat, moisture] of moistureAnchors) {
    const dx = (lon - anchorLon) * shrink;
    const dy = lat - anchorLat;
    const squared = dx * dx + dy * dy + 1;
    const weight = 1 / (squared * squared);
    weights += weight;
    sum += weight * moisture;
  }
  return sum / weights;
}

/** Share of the year gone by: 0 at New Year. */
export function yearShare(epochMs: number): number {
  const year = new Date(epochMs).getUTCFullYear();
  return (epochMs - Date.UTC(year, 0, 1)) / (365.25 * dayMs);
}

/** 1 in the place's high summer, -1 in its deep winter. */
export function summerness(epochMs: number, lat: number): number {
  const northern = Math.cos((yearShare(epochMs) - 0.545) * 2 * Math.PI);
  return lat < 0 ? -northern : northern;
}

/** Air temperature at sea level in °C. */
export function temperatureAt(epochMs: number, lat: number): number {
  const swing = 1.5 + Math.abs(lat) * 0.26;
  return 28 - 0.0092 * lat * lat + summerness(epochMs, lat) * swing;
}

/** Mean share of the sky under cloud, 0 to 1. */
export function meanCloudShare(epochMs: number, lon: number, lat: number): number {
  const moisture = moistureAt(lon, lat);
  const summer = summerness(epochMs, lat);
  const distance = Math.abs(lat);
  // Rain comes with summer in the tropics (monsoon), with winter beyond the dry belt.
  const season = distance < 30 ? 0.3 * moisture * summer : distance < 45 ? -0.12 * summer : -0.16 * summer;
  const monsoon = lon > 66 && lon < 98 && lat > 5 && lat < 32 ? 0.28 * Math.max(0, summer) - 0.18 : 0;
  return Math.min(0.88, Math.max(0.06, 0.1 + 0.52 * moisture + season + monsoon));
}
