import { z } from 'zod';

/** The forms in which items leave Swath, and come back. */
export const exportFormats = ['geojson', 'stac', 'csv', 'geoparquet'] as const;

/** One of the forms in which items leave Swath. */
export type ExportFormat = (typeof exportFormats)[number];

/** What the file of each form ends with. */
export const formatExtensions: Readonly<Record<ExportFormat, string>> = {
  geojson: '.geojson',
  stac: '.json',
  csv: '.csv',
  geoparquet: '.parquet',
};

/** How a file is to be written. */
export const exportOptionsSchema = z.object({
  format: z.enum(exportFormats),
  /** Properties to write, in GeoJSON and CSV; null for all that are no objects. */
  properties: z.array(z.string().min(1).max(1000)).max(2000).nullable().default(null),
  /** Whether a CSV begins with the mark by which Excel knows UTF-8. */
  hasByteOrderMark: z.boolean().default(false),
});

/** How a file is to be written. */
export type ExportOptions = z.infer<typeof exportOptionsSchema>;
