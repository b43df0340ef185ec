import { z } from 'zod';
import { maxAreaFileBytes } from '../../geo/area-file-limit.ts';
import { areaReadingsSchema } from '../../geo/area-reading.ts';
import { query } from '../define-contract.ts';

const aoiErrors = ['aoi.unreadable', 'aoi.too-large'] as const;

/** Understanding areas that a person typed, pasted or dropped. */
export const aoiContract = {
  /** A box, coordinates, MGRS, UTM, GeoJSON, WKT or KML as text. */
  readText: query({
    input: z.object({ text: z.string().max(maxAreaFileBytes) }),
    output: areaReadingsSchema,
    errors: aoiErrors,
  }),
  /** GeoJSON, KML, KMZ, GPX, WKT or a zipped Shapefile; what it is is seen from its content. */
  readFile: query({
    input: z.object({
      /** Its name without a path. */
      name: z.string().max(1000),
      /** Base64. */
      content: z.string(),
    }),
    output: areaReadingsSchema,
    errors: aoiErrors,
  }),
};
