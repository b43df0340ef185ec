import { toBbox } from '#shared/stac/bbox.ts';
import { bboxOf, footprintOf, propertiesOf, type IdentifiedItem } from '#shared/stac/item.ts';
import { countLeaves, foldAmbiguous, settle, widen, widenTime, type ColumnType } from './column-type.ts';
import { itemColumns, patchColumn } from './item-of-row.ts';

/** Columns of one file beyond which nested ones become JSON text: writing each costs as much as a flat one. */
const maxLeaves = 4000;

// Stored as times, not as text, by the specification (STAC common metadata and the timestamps extension).
const timeNames: ReadonlySet<string> = new Set([
  'datetime',
  'start_datetime',
  'end_datetime',
  'created',
  'updated',
  'expires',
  'published',
  'unpublished',
]);
const apart: ReadonlySet<string> = new Set([...itemColumns, patchColumn].map((name) => name.toLowerCase()));
// Rows are plain objects, which `__proto__` is no member of. What has no column is in the patch.
const unfit: ReadonlySet<string> = new Set(['', '__proto__']);
const text: ColumnType = { kind: 'text' };
const linkFields = ['href', 'rel', 'type', 'title'];

/** What was learnt of the columns that a table of Items needs, and of its geometry. */
export class TableColumns {
  readonly #properties = new Map<string, ColumnType>();
  /** Names as DuckDB knows them, which doesn't tell capital letters from small ones. */
  readonly #taken = new Map<string, string>();
  #extensions: ColumnType = { kind: 'list', of: text };
  #links: ColumnType = {
    kind: 'list',
    of: { kind: 'struct', fields: new Map(linkFields.map((name) => [name, text])) },
  };
  #assets: ColumnType = { kind: 'none' };
  #hasHeights = false;
  readonly #geometryTypes = new Set<string>();
  #around: [number, number, number, number] | null = null;

  learn({ item }: IdentifiedItem): void {
    const properties = propertiesOf(item);
    for (const name of Object.keys(properties)) {
      const type = this.#typeOf(name);
      if (!type) continue;
      const value = properties[name];
      this.#properties.set(name, timeNames.has(name) ? widenTime(type, value) : widen(type, value));
    }
    this.#extensions = widen(this.#extensions, item['stac_extensions']);
    this.#links = widen(this.#links, item['links']);
    this.#assets = widen(this.#assets, item['assets']);
    this.#hasHeights ||=
      Array.isArray(item['bbox']) && item['bbox'].length === 6 && toBbox(item['bbox']) !== null;
    this.#learnPlace(item);
  }

  /** The columns beside geometry and patch, in their order. */
  settle(): Map<string, ColumnType> {
    const columns = new Map<string, ColumnType>([
      ['id', text],
      ['collection', text],
      ['stac_version', text],
      ['stac_extensions', settle(this.#extensions)],
      ['bbox', boxType(this.#hasHeights)],
      ...[...this.#properties].map(([name, type]): [string, ColumnType] => [name, settle(type)]),
      ['links', settle(this.#links)],
      ['assets', this.#assets.kind === 'none' ? { kind: 'json' } : settle(this.#assets)],
    ]);
    foldAmbiguous(columns);
    foldLargest(columns);
    return columns;
  }

  /** The `geo` metadata of GeoParquet 1.1. */
  get geo(): object {
    const covering = Object.fromEntries(
      ['xmin', 'ymin', 'xmax', 'ymax'].map((name) => [name, ['bbox', name]]),
    );
    return {
      version: '1.1.0',
      primary_column: 'geometry',
      columns: {
        geometry: {
          encoding: 'WKB',
          geometry_types: [...this.#geometryTypes].sort(),
          ...(this.#around && { bbox: this.#around }),
          covering: { bbox: covering },
        },
      },
    };
  }

  // Null for a property that can't have a column: also where its name is taken by another member or property.
  #typeOf(name: string): ColumnType | null {
    const known = this.#properties.get(name);
    if (known) return known;
    const lower = name.toLowerCase();
    if (unfit.has(name) || apart.has(lower) || lower.startsWith('bbox.') || this.#taken.has(lower))
      return null;
    this.#taken.set(lower, name);
    return { kind: 'none' };
  }

  #learnPlace(item: IdentifiedItem['item']): void {
    const footprint = footprintOf(item);
    const box = bboxOf(item);
    if (footprint) this.#geometryTypes.add(footprint.type + (hasHeight(footprint) ? ' Z' : ''));
    if (!box) return;
    const [west, south, east, north] = box[0] > box[2] ? [-180, box[1], 180, box[3]] : box;
    const [w, s, e, n] = this.#around ?? [west, south, east, north];
    this.#around = [Math.min(w, west), Math.min(s, south), Math.max(e, east), Math.max(n, north)];
  }
}

function hasHeight(geometry: object): boolean {
  let value: unknown = 'coordinates' in geometry ? geometry.coordinates : null;
  while (Array.isArray(value) && Array.isArray(value[0])) value = value[0];
  return Array.isArray(value) && value.length > 2;
}

function boxType(hasHeights: boolean): ColumnType {
  const names = hasHeights
    ? ['xmin', 'ymin', 'zmin', 'xmax', 'ymax', 'zmax']
    : ['xmin', 'ymin', 'xmax', 'ymax'];
  return { kind: 'struct', fields: new Map(names.map((name) => [name, { kind: 'number' as const }])) };
}

/** Makes the nested columns with the most members JSON text, until the file has no more columns than it may. */
function foldLargest(columns: Map<string, ColumnType>): void {
  const sizes = [...columns].map(([name, type]) => ({ name, leaves: countLeaves(type) }));
  let total = sizes.reduce((sum, { leaves }) => sum + leaves, 0);
  for (const { name, leaves } of sizes.sort((a, b) => b.leaves - a.leaves)) {
    if (total <= maxLeaves || leaves === 1) return;
    columns.set(name, { kind: 'json' });
    total -= leaves - 1;
  }
}
