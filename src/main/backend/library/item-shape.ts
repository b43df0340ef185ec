import type { JsonObject } from '#shared/stac/json.ts';

/**
 * Items of one collection are alike but for some leaves. A shape is one of them, kept whole; another is then told by
 * what differs from it: `[step, value, step, value, …]`.
 *
 * Nodes of the shape are numbered in the order of a walk that goes down before it goes on. A step is eight times the
 * way from the node before, plus how the node differs: 0, the value follows; n, what the n-th replacement makes of the
 * shape's text. Replacements are learnt on the way, equally when writing and reading, from the texts that were given
 * whole: where the shape's id is in all its links, the new id is told once.
 */
export interface ItemShape {
  root: ShapeNode;
  nodes: readonly ShapeNode[];
}

/** What differs from a shape, as JSON values. */
export type ShapeDifference = readonly unknown[];

interface ShapeNode {
  number: number;
  /** The number of the first node that is not below this one. */
  end: number;
  /** Null for arrays and leaves. */
  keys: readonly string[] | null;
  /** Null for leaves. */
  children: readonly ShapeNode[] | null;
  value: unknown;
}

interface Replacement {
  from: string;
  to: string;
}

const maxReplacements = 7;
// Shorter texts are found where they mean something else.
const minReplacedLength = 4;

/** Takes an item's JSON as a shape. */
export function createShape(item: unknown): ItemShape {
  const nodes: ShapeNode[] = [];
  const add = (value: unknown): ShapeNode => {
    const isContainer = typeof value === 'object' && value !== null;
    const keys = isContainer && !Array.isArray(value) ? Object.keys(value) : null;
    const node: ShapeNode = { number: nodes.length, end: 0, keys, children: null, value };
    nodes.push(node);
    if (isContainer) {
      const members = keys ? keys.map((key) => (value as JsonObject)[key]) : (value as unknown[]);
      node.children = members.map(add);
    }
    node.end = nodes.length;
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

/** What differs from the shape; `applyDifference` gives the same JSON again, whatever the item. */
export function differFromShape({ root }: ItemShape, item: unknown): ShapeDifference {
  const writer = new DifferenceWriter();
  writer.compare(root, item);
  return writer.difference;
}

/** The item that differs from the shape in this way, its members in their order. A new value every time. */
export function applyDifference(shape: ItemShape, difference: ShapeDifference): unknown {
  return build(shape.root, readChanges(shape, difference));
}

/** One member of that item alone; undefined where it has none. */
export function applyToMember(shape: ItemShape, difference: ShapeDifference, name: string): unknown {
  const changes = readChanges(shape, difference);
  if (changes.numbers[0] === 0) return (changes.values[0] as JsonObject)[name];
  const node = shape.root.children?.[shape.root.keys?.indexOf(name) ?? -1];
  if (!node) return undefined;
  while ((changes.numbers[changes.next] ?? Infinity) < node.number) changes.next++;
  return build(node, changes);
}

class DifferenceWriter {
  readonly difference: unknown[] = [];
  readonly #replacements: Replacement[] = [];
  #last = 0;

  compare(node: ShapeNode, value: unknown): void {
    const { children, keys } = node;
    if (children === null) {
      if (node.value !== value) this.#writeLeaf(node, value);
    } else if (keys === null) {
      if (Array.isArray(value) && value.length === children.length) {
        for (let index = 0; index < children.length; index++)
          this.#compareChild(children, index, value[index]);
      } else this.#write(node, 0, value);
    } else if (isObject(value) && hasKeys(value, keys)) {
      for (let index = 0; index < keys.length; index++)
        this.#compareChild(children, index, value[keys[index] ?? '']);
    } else this.#write(node, 0, value);
  }

  #compareChild(children: readonly ShapeNode[], index: number, value: unknown): void {
    const child = children[index];
    if (child) this.compare(child, value);
  }

  #writeLeaf(node: ShapeNode, value: unknown): void {
    const before = node.value;
    if (typeof before !== 'string' || typeof value !== 'string') {
      this.#write(node, 0, value);
      return;
    }
    const found = this.#replacements.findIndex(({ from, to }) => before.replaceAll(from, () => to) === value);
    this.#write(node, found + 1, value);
    if (found < 0) learn(this.#replacements, before, value);
  }

  #write(node: ShapeNode, kind: number, value: unknown): void {
    this.difference.push((node.number - this.#last) * (maxReplacements + 1) + kind);
    if (kind === 0) this.difference.push(value);
    this.#last = node.number;
  }
}

/** Changed nodes in the order of their numbers. */
interface Changes {
  numbers: number[];
  values: unknown[];
  next: number;
}

function readChanges({ nodes }: ItemShape, difference: ShapeDifference): Changes {
  const changes: Changes = { numbers: [], values: [], next: 0 };
  const replacements: Replacement[] = [];
  let number = 0;
  for (let at = 0; at < difference.length;) {
    const step = difference[at++];
    if (typeof step !== 'number') throw new TypeError('a difference from a shape is cut');
    const kind = step % (maxReplacements + 1);
    number += (step - kind) / (maxReplacements + 1);
    const before = nodes[number]?.value;
    let value: unknown;
    if (kind === 0) {
      value = difference[at++];
      if (typeof before === 'string' && typeof value === 'string') learn(replacements, before, value);
    } else {
      const replacement = replacements[kind - 1];
      if (!replacement || typeof before !== 'string') throw new TypeError('a difference is of another shape');
      value = before.replaceAll(replacement.from, () => replacement.to);
    }
    changes.numbers.push(number);
    changes.values.push(value);
  }
  return changes;
}

function build(node: ShapeNode, changes: Changes): unknown {
  if (changes.numbers[changes.next] === node.number) return changes.values[changes.next++];
  const { keys, children } = node;
  if (children === null) return node.value;
  if (keys === null) return children.map((child) => build(child, changes));
  const object: JsonObject = {};
  for (let index = 0; index < keys.length; index++) {
    const [key, child] = [keys[index], children[index]];
    if (key === undefined || child === undefined) continue;
    const value = build(child, changes);
    // As JSON.parse does it: a member of that name, not another prototype.
    if (key === '__proto__') Object.defineProperty(object, key, { value, ...ownMember });
    else object[key] = value;
  }
  return object;
}

const ownMember = { enumerable: true, configurable: true, writable: true };

/** Learns what a text was replaced with: the whole where little is common, else from the first difference to the last. */
function learn(replacements: Replacement[], before: string, after: string): void {
  if (replacements.length === maxReplacements) return;
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  // A text without separators is a name: as a whole it is found again in links.
  if (!before.includes('/')) start = 0;
  let common = 0;
  while (
    start > 0 &&
    common < shorter - start &&
    before.charCodeAt(before.length - 1 - common) === after.charCodeAt(after.length - 1 - common)
  )
    common++;
  const from = before.slice(start, before.length - common);
  if (from.length >= minReplacedLength)
    replacements.push({ from, to: after.slice(start, after.length - common) });
}

function hasKeys(value: JsonObject, keys: readonly string[]): boolean {
  let index = 0;
  for (const key in value) {
    // A member that JSON leaves out has no place in a shape.
    if (keys[index] !== key || value[key] === undefined) return false;
    index++;
  }
  return index === keys.length;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
