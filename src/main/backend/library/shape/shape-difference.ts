import type { JsonObject } from '#shared/stac/json.ts';
import { mayHoldSignedUrl } from '#shared/stac/signed-url.ts';
import { hasKeys, isObject, type ItemShape, type ShapeNode } from './item-shape.ts';
import { setMember, ValueReader } from './value-reader.ts';
import { learnReplacement, maxReplacements, replaceIn, type Replacement } from './value-tags.ts';
import { ValueWriter } from './value-writer.ts';

/**
 * Tells items by what differs from a shape. For each node that differs: eight times the way from the number of the one
 * before, plus how it differs: 0, its value follows; n, what the n-th replacement makes of the shape's text. Replacements
 * are learnt on the way, so that an id which is in all links is told once.
 */
export class DifferenceWriter {
  readonly #writer: ValueWriter;
  #replacements: Replacement[] = [];
  #last = 0;
  #mayBeSigned = false;

  constructor(writer = new ValueWriter()) {
    this.#writer = writer;
  }

  /** Appends what differs to what was written before; `readDifference` gives the same JSON again, whatever the item. */
  append({ root }: ItemShape, item: unknown): void {
    this.#writer.begin();
    this.#replacements = [];
    this.#last = 0;
    this.#mayBeSigned = false;
    this.#compare(root, item);
  }

  /** The same where no text may be a signed link; else appends nothing and gives false. */
  appendUnsigned(shape: ItemShape, item: unknown): boolean {
    const start = this.#writer.length;
    this.append(shape, item);
    if (this.#mayBeSigned) this.#writer.truncate(start);
    return !this.#mayBeSigned;
  }

  /** What differs, by itself. */
  write(shape: ItemShape, item: unknown): Buffer<ArrayBuffer> {
    const start = this.#writer.length;
    this.append(shape, item);
    return this.#writer.take(start);
  }

  #compare(node: ShapeNode, value: unknown): void {
    const { children, keys } = node;
    if (children === null) {
      if (node.value !== value) this.#writeLeaf(node, value);
      return;
    }
    if (keys === null ? !Array.isArray(value) || value.length !== children.length : !isLike(value, keys)) {
      this.#writeValue(node, value);
      return;
    }
    const members = value as JsonObject & unknown[];
    for (let index = 0; index < children.length; index++) {
      const child = children[index];
      if (child) this.#compare(child, keys === null ? members[index] : members[keys[index] ?? '']);
    }
  }

  #writeLeaf(node: ShapeNode, value: unknown): void {
    const before = node.value;
    if (typeof before !== 'string' || typeof value !== 'string') {
      this.#writeValue(node, value);
      return;
    }
    const found = findReplacement(this.#replacements, before, value);
    this.#mayBeSigned ||= value.includes('?') && mayHoldSignedUrl(value);
    this.#writeStep(node, found + 1);
    if (found >= 0) return;
    this.#writer.write(value, before);
    learnReplacement(this.#replacements, before, value);
  }

  #writeValue(node: ShapeNode, value: unknown): void {
    // A leaf that is no text, or something of another structure, which is rare.
    if (typeof value !== 'number' && value !== null)
      this.#mayBeSigned ||= mayHoldSignedUrl(JSON.stringify(value));
    this.#writeStep(node, 0);
    this.#writer.write(value);
  }

  #writeStep(node: ShapeNode, kind: number): void {
    this.#writer.writeCount((node.number - this.#last) * (maxReplacements + 1) + kind);
    this.#last = node.number;
  }
}

function findReplacement(replacements: readonly Replacement[], before: string, after: string): number {
  const growth = after.length - before.length;
  for (let index = 0; index < replacements.length; index++) {
    const one = replacements[index];
    if (!one) continue;
    // Nearly all are out by their length.
    const each = one.to.length - one.from.length;
    if (each === 0 ? growth !== 0 : growth % each !== 0) continue;
    if (after.includes(one.to) && replaceIn(before, one) === after) return index;
  }
  return -1;
}

/** The item that differs from the shape in this way, its members in their order. What is the same is shared, and frozen. */
export function readDifference(shape: ItemShape, bytes: Buffer, start = 0): unknown {
  const changes = new Changes(shape, new ValueReader(bytes, start));
  return build(shape.root, changes);
}

/** The nodes that differ, in the order of their numbers. */
class Changes {
  readonly #shape: ItemShape;
  readonly #reader: ValueReader;
  readonly #replacements: Replacement[] = [];
  /** The number of the next node that differs. */
  number = 0;
  #kind = 0;

  constructor(shape: ItemShape, reader: ValueReader) {
    this.#shape = shape;
    this.#reader = reader;
    this.#readStep();
  }

  take(): unknown {
    const { value: before } = this.#shape.nodes[this.number] ?? {};
    const value = this.#kind === 0 ? this.#readValue(before) : this.#replace(before);
    this.#readStep();
    return value;
  }

  #readValue(before: unknown): unknown {
    if (typeof before !== 'string') return this.#reader.read();
    const value = this.#reader.read(before);
    if (typeof value === 'string') learnReplacement(this.#replacements, before, value);
    return value;
  }

  #replace(before: unknown): string {
    const replacement = this.#replacements[this.#kind - 1];
    if (!replacement || typeof before !== 'string') throw new TypeError('a difference is of another shape');
    return replaceIn(before, replacement);
  }

  #readStep(): void {
    if (this.#reader.isAtEnd) {
      this.number = Infinity;
      return;
    }
    const step = this.#reader.readCount();
    this.#kind = step % (maxReplacements + 1);
    this.number += (step - this.#kind) / (maxReplacements + 1);
  }
}

function build(node: ShapeNode, changes: Changes): unknown {
  if (changes.number === node.number) return changes.take();
  const { keys, children, model } = node;
  if (changes.number >= node.end || children === null) return node.value;
  const container = Array.isArray(model) ? [...(model as unknown[])] : { ...model };
  for (let index = 0; index < children.length && changes.number < node.end; index++) {
    const child = children[index];
    if (child === undefined || changes.number >= child.end) continue;
    const value = build(child, changes);
    if (Array.isArray(container)) container[index] = value;
    else setMember(container, keys?.[index] ?? '', value);
  }
  return container;
}

function isLike(value: unknown, keys: readonly string[]): boolean {
  return isObject(value) && hasKeys(value, keys);
}
