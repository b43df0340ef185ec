import { zstdCompressSync } from 'node:zlib';
import type { ExportFormat } from '#shared/exchange/export-format.ts';
import { propertiesOf, type IdentifiedItem } from '#shared/stac/item.ts';
import { flatPropertiesOf } from './flat-properties.ts';

/** What files of items like these would be. */
export interface ExportEstimate {
  bytesPerItem: Record<ExportFormat, number>;
  properties: { name: string; isNested: boolean }[];
}

/** Members around an item's own: geometry, box, ids. */
const flatOverheadBytes = 250;

/** Judges by some items what files of many would be. */
export function estimateExport(items: readonly IdentifiedItem[]): ExportEstimate {
  const count = Math.max(1, items.length);
  const text = JSON.stringify(items.map(({ item }) => item));
  const flat = items.map(({ item }) => flatPropertiesOf(item, null));
  const geometryBytes = JSON.stringify(items.map(({ item }) => item['geometry'])).length / count;
  const values =
    JSON.stringify(flat.map((properties) => properties.map(([, value]) => value))).length / count;
  const names = new Set(items.flatMap(({ item }) => Object.keys(propertiesOf(item))));
  const flatNames = new Set(flat.flatMap((properties) => properties.map(([name]) => name)));
  return {
    bytesPerItem: {
      stac: text.length / count,
      geojson:
        JSON.stringify(flat.map((one) => Object.fromEntries(one))).length / count +
        geometryBytes +
        flatOverheadBytes,
      csv: values + geometryBytes + flatOverheadBytes / 2,
      geoparquet: zstdCompressSync(text).length / count,
    },
    properties: [...names].map((name) => ({ name, isNested: !flatNames.has(name) })),
  };
}
