import type { Queryable } from '#shared/stac/queryables.ts';
import { widenQueryable } from '#shared/stac/widen-queryable.ts';
import { propertyLabels } from '../format/property-labels.ts';

/** A property that can be asked for, with its name and unit for people. */
export interface PropertyChoice extends Queryable {
  label: string;
  /** After a number, without blanks: `°`, `%`, `m`; empty when it has none. */
  unit: string;
  /** Chosen collections that don't list it: none of their items come back when it is asked for. */
  lackingIds: readonly string[];
}

/** The queryables of one collection. */
export interface CollectionQueryables {
  collectionId: string;
  queryables: readonly Queryable[];
}

/**
 * All properties that any of the collections lists, those that all of them list first, then by name. `shared` is the
 * catalog's own answer for all of them together, which knows best how their common properties are written.
 */
export function listProperties(
  collections: readonly CollectionQueryables[],
  shared: readonly Queryable[],
): PropertyChoice[] {
  const byName = new Map<string, Queryable>();
  for (const { queryables } of collections) {
    for (const one of queryables) {
      const before = byName.get(one.name);
      byName.set(one.name, before ? widenQueryable(before, one) : one);
    }
  }
  for (const one of shared) byName.set(one.name, one);
  const choices = [...byName.values()].map((one): PropertyChoice => {
    const lacking = collections.filter(({ queryables }) => queryables.every(({ name }) => name !== one.name));
    return {
      ...one,
      label: nameProperty(one.name, one.title),
      unit: unitOf(one),
      lackingIds: lacking.map(({ collectionId }) => collectionId),
    };
  });
  return choices.sort(
    (a, b) => a.lackingIds.length - b.lackingIds.length || a.label.localeCompare(b.label, 'en'),
  );
}

/** How a property is called: its usual name, else the catalog's title for it, else the name itself. */
export function nameProperty(name: string, title: string | null = null): string {
  if (name.endsWith(agMaskSuffix)) return 'Agriculture cloud mask';
  return propertyLabels.get(name)?.name ?? title?.replace(unitPattern, '').trim() ?? name;
}

/** The end of the property that says whether an item has a cloud mask for agriculture; before it is the provider's prefix. */
export const agMaskSuffix = ':ag_cloud_mask_available';

const unitPattern = /\s*[([]([^()[\]]{1,12})[)\]]\s*$/;

function unitOf({ name, title, type }: Queryable): string {
  if (type !== 'number') return '';
  const known = propertyLabels.get(name);
  return known ? (known.unit ?? '').trim() : (unitPattern.exec(title ?? '')?.[1] ?? '');
}
