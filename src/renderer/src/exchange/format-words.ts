import type { ExportFormat } from '#shared/exchange/export-format.ts';

/** A form of file in words. */
export interface FormatWords {
  format: ExportFormat;
  name: string;
  /** What it is good for, and what it leaves behind. */
  use: string;
}

/** The forms of file, the most used first. */
export const formatWords: readonly FormatWords[] = [
  {
    format: 'geojson',
    name: 'GeoJSON',
    use: 'For maps: footprints and properties, in QGIS and every web map. Assets stay behind.',
  },
  {
    format: 'stac',
    name: 'STAC ItemCollection',
    use: 'Everything, exactly as the catalog gave it: for colleagues with Swath, and for pystac.',
  },
  {
    format: 'csv',
    name: 'CSV',
    use: 'For tables: one item a line, safe to open in Excel or LibreOffice. Assets stay behind.',
  },
  {
    format: 'geoparquet',
    name: 'GeoParquet',
    use: 'Everything, for analysis of many items: DuckDB, geopandas and QGIS.',
  },
];
