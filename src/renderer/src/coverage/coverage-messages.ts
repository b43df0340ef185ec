import type { Geometry } from 'geojson';

/** What the coverage worker is told. A worker serves one area, which comes first. */
export type CoverageRequest =
  | { kind: 'area'; area: Geometry }
  /** Footprints of the rows from `from` on. */
  | { kind: 'rows'; from: number; footprints: (Geometry | null)[] }
  /** Rows whose footprints are to be taken together. */
  | { kind: 'group'; key: string; indexes: Uint32Array };

/** What it answers: per cent of the area, NaN where there is none. */
export type CoverageAnswer =
  { kind: 'rows'; from: number; percents: Float64Array } | { kind: 'group'; key: string; percent: number };
