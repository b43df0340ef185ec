/** What the pixels of a plate mean. */
export type PixelMeaning =
  'reflectance' | 'backscatter' | 'scene-class' | 'quality-bits' | 'cloud-mask' | 'forest';

/** Dimensions and datatype of a large raster, and how many different ones there are. */
export interface PlateKind {
  columns: number;
  rows: number;
  bands: number;
  bytesPerSample: 1 | 2 | 4;
  isFloat: boolean;
  meaning: PixelMeaning;
  variants: number;
  /** Which checksums the catalog gives for it. */
  checksum: 'sha2-256' | 'md5' | 'none';
}

const integer = {
  bands: 1,
  bytesPerSample: 2,
  isFloat: false,
  meaning: 'reflectance',
  checksum: 'sha2-256',
} as const;
const byte = { bands: 1, bytesPerSample: 1, isFloat: false, checksum: 'sha2-256' } as const;

/** Every kind. Changing one, or the pixels, means to run scripts/compute-plates.mjs again. */
export const plateKinds = {
  's2-10m': { ...integer, columns: 10980, rows: 10980, variants: 3 },
  's2-20m': { ...integer, columns: 5490, rows: 5490, variants: 3 },
  's2-60m': { ...integer, columns: 1830, rows: 1830, variants: 2 },
  's2-scl': { ...byte, columns: 5490, rows: 5490, variants: 2, meaning: 'scene-class' },
  'ag-mask': { ...byte, columns: 5490, rows: 5490, variants: 2, meaning: 'cloud-mask' },
  'landsat-30m': { ...integer, columns: 8200, rows: 8200, variants: 3 },
  'landsat-qa': { ...integer, columns: 8200, rows: 8200, variants: 1, meaning: 'quality-bits' },
  's1-20m': {
    ...integer,
    columns: 15360,
    rows: 13312,
    bytesPerSample: 4,
    isFloat: true,
    meaning: 'backscatter',
    variants: 2,
    checksum: 'md5',
  },
  'venus-5m': { ...integer, columns: 5632, rows: 5632, variants: 2, checksum: 'none' },
  'mosaic-10m': { ...integer, columns: 10000, rows: 10000, variants: 2 },
  'sky-ms-2m': { ...integer, columns: 8000, rows: 10000, bands: 4, variants: 1 },
  'sky-sharp-50cm': { ...integer, columns: 32000, rows: 40000, bands: 4, variants: 1 },
  'forest-30m': { ...byte, columns: 11136, rows: 11136, variants: 1, meaning: 'forest' },
} as const satisfies Record<string, PlateKind>;

/** Name of a kind. */
export type PlateKindName = keyof typeof plateKinds;

/** One of the fixed pool of rasters. */
export interface Plate {
  name: PlateKindName;
  variant: number;
}

/** The kind of a plate. */
export function kindOf(plate: Plate): PlateKind {
  return plateKinds[plate.name];
}
