const degree = Math.PI / 180;

/** Where the sun stands, in degrees: above the horizon, and clockwise from north. */
export interface SunPosition {
  elevation: number;
  azimuth: number;
}

/** The sun over a place at a time (low-precision almanac formulas, good to about 0.02°). */
export function sunPositionAt(epochMs: number, lon: number, lat: number): SunPosition {
  const days = epochMs / 86_400_000 - 10_957.5;
  const meanAnomaly = (357.528 + 0.9856003 * days) * degree;
  const meanLongitude = 280.46 + 0.9856474 * days;
  const ecliptic =
    (meanLongitude + 1.915 * Math.sin(meanAnomaly) + 0.02 * Math.sin(2 * meanAnomaly)) * degree;
  const obliquity = (23.439 - 4e-7 * days) * degree;
  const declination = Math.asin(Math.sin(obliquity) * Math.sin(ecliptic));
  const rightAscension = Math.atan2(Math.cos(obliquity) * Math.sin(ecliptic), Math.cos(ecliptic));
  const siderealDegrees = 280.46062 + 360.98564737 * days + lon;
  const hourAngle = siderealDegrees * degree - rightAscension;
  const phi = lat * degree;
  const sinElevation =
    Math.sin(phi) * Math.sin(declination) + Math.cos(phi) * Math.cos(declination) * Math.cos(hourAngle);
  const azimuth = Math.atan2(
    -Math.sin(hourAngle),
    Math.tan(declination) * Math.cos(phi) - Math.sin(phi) * Math.cos(hourAngle),
  );
  return { elevation: Math.asin(sinElevation) / degree, azimuth: (azimuth / degree + 360) % 360 };
}
