import { propertiesOf, type StacItem } from '#shared/stac/item.ts';

/** The properties of an Item that a flat table can show: those that were chosen, or all that are no objects. */
export function flatPropertiesOf(item: StacItem, chosen: readonly string[] | null): [string, unknown][] {
  const properties = propertiesOf(item);
  if (chosen === null) return Object.entries(properties).filter(([, value]) => isFlat(value));
  return chosen.flatMap((name): [string, unknown][] =>
    Object.hasOwn(properties, name) ? [[name, properties[name]]] : [],
  );
}

function isFlat(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isScalar) : isScalar(value);
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
