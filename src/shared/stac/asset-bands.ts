import type { Asset } from './asset.ts';
import { isJsonObject, type JsonObject } from './json.ts';

/** One band of an Asset; null where nothing is said. */
export interface Band {
  name: string | null;
  /** Of the eo extension's list: `red`, `nir`. */
  commonName: string | null;
  description: string | null;
  /** Middle of the band, in micrometres. */
  centerWavelengthUm: number | null;
  /** Full width at half maximum, in micrometres. */
  widthUm: number | null;
  /** Distance between pixels, in metres. */
  resolutionM: number | null;
  dataType: string | null;
  nodata: string | null;
  unit: string | null;
  /** What a stored number stands for: `× scale + offset`. */
  scale: number | null;
  offset: number | null;
}

/**
 * The bands of an Asset: `bands` (STAC 1.1), or `eo:bands` and `raster:bands` (STAC 1.0), which describe the same bands
 * in the same order. What is said of the Asset as a whole holds for each band that doesn't say otherwise.
 */
export function bandsOf({ raw }: Pick<Asset, 'raw'>): Band[] {
  const common = objectsOf(raw['bands']);
  if (common.length > 0) return common.map((band) => readBand([band, raw]));
  const spectral = objectsOf(raw['eo:bands']);
  const stored = objectsOf(raw['raster:bands']);
  return Array.from({ length: Math.max(spectral.length, stored.length) }, (_, index) =>
    readBand([spectral[index] ?? {}, stored[index] ?? {}, raw]),
  );
}

/** What a person calls an Asset's bands: their common names, where they have none their names. Each once. */
export function bandNamesOf(asset: Pick<Asset, 'raw'>): string[] {
  return [...new Set(bandsOf(asset).flatMap(({ commonName, name }) => commonName ?? name ?? []))];
}

function readBand(sources: readonly JsonObject[]): Band {
  const text = (...names: string[]) => find(sources, names, textOf);
  const number = (...names: string[]) => find(sources, names, numberOf);
  const [own = {}] = sources;
  return {
    // An Asset's own name and description are not its bands'.
    name: textOf(own['name']),
    commonName: textOf(own['eo:common_name']) ?? textOf(own['common_name']),
    description: textOf(own['description']),
    centerWavelengthUm: number('eo:center_wavelength', 'center_wavelength'),
    widthUm: number('eo:full_width_half_max', 'full_width_half_max'),
    resolutionM: number('raster:spatial_resolution', 'spatial_resolution', 'gsd'),
    dataType: text('data_type', 'raster:data_type'),
    nodata: find(sources, ['nodata'], scalarOf),
    unit: text('unit'),
    scale: number('raster:scale', 'scale'),
    offset: number('raster:offset', 'offset'),
  };
}

function find<Value>(
  sources: readonly JsonObject[],
  names: readonly string[],
  read: (value: unknown) => Value | null,
): Value | null {
  for (const source of sources) {
    for (const name of names) {
      const value = read(source[name]);
      if (value !== null) return value;
    }
  }
  return null;
}

function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

// `nodata` may be "nan" (raster extension).
function scalarOf(value: unknown): string | null {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : null;
}
