import type { JsonObject } from '#shared/stac/json.ts';

/**
 * Items of one collection are alike but for some leaves. A shape is one of them, kept whole; another is then told by what
 * differs from it (shape-difference.ts).
 */
export interface ItemShape {
  root: ShapeNode;
  /** All nodes, by their numbers. */
  nodes: readonly ShapeNode[];
}

/** A value within a shape. Nodes are numbered by a walk that goes down before it goes on. */
export interface ShapeNode {
  number: number;
  /** The number after those of all that is in it. */
  end: number;
  /** Names of an object's members; null for arrays and leaves. */
  keys: readonly string[] | null;
  /** Null for leaves. */
  children: readonly ShapeNode[] | null;
  /** Frozen, because all items share it that are the same there. */
  value: unknown;
  /** A container that may be copied and changed, which is faster with one that isn't frozen; null for leaves. */
  model: object | null;
}

/** Takes an item's JSON as a shape, and freezes it. */
export function createShape(item: unknown): ItemShape {
  const nodes: ShapeNode[] = [];
  const add = (value: unknown): ShapeNode => {
    const isContainer = typeof value === 'object' && value !== null;
    const keys = isContainer && !Array.isArray(value) ? Object.keys(value) : null;
    const number = nodes.length;
    const node: ShapeNode = { number, end: number + 1, keys, children: null, value, model: null };
    nodes.push(node);
    if (isContainer) {
      const members = keys ? keys.map((key) => (value as JsonObject)[key]) : (value as unknown[]);
      node.children = members.map(add);
      node.end = nodes.length;
      node.model = keys ? { ...value } : [...members];
      Object.freeze(value);
    }
    return node;
  };
  return { root: add(item), nodes };
}

/** Whether an item has the members of the shape, and the same properties and assets. */
export function fitsShape({ root }: ItemShape, item: JsonObject): boolean {
  if (!hasKeys(item, root.keys ?? [])) return false;
  return (root.keys ?? []).every((key, index) => {
    if (key !== 'properties' && key !== 'assets') return true;
    const [keys, member] = [root.children?.[index]?.keys, item[key]];
    return keys ? isObject(member) && hasKeys(member, keys) : true;
  });
}

/** Whether an object has these members, in this order, and no others. */
export function hasKeys(value: JsonObject, keys: readonly string[]): boolean {
  let index = 0;
  for (const key in value) {
    // A member that JSON leaves out has no place in a shape.
    if (keys[index] !== key || value[key] === undefined) return false;
    index++;
  }
  return index === keys.length;
}

/** Whether a JSON value has members with names. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
