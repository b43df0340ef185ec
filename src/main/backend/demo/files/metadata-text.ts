import { hash } from 'node:crypto';
import type { JsonObject } from '#shared/stac/json.ts';

/** The part of an item that its metadata files tell. */
export interface Described {
  id: string;
  properties: JsonObject;
}

/** A metadata file: the item's id and properties in the format asked for. */
export function writeText({ id, properties }: Described, format: 'xml' | 'json' | 'txt'): string {
  if (format === 'json') return `${JSON.stringify({ id, ...properties }, null, 2)}\n`;
  const entries = Object.entries(properties).map(([name, value]) => [name, valueText(value)] as const);
  if (format === 'txt') return `${entries.map(([name, value]) => `${name} = ${value}`).join('\n')}\nEND\n`;
  const rows = entries.map(
    ([name, value]) => `  <property name="${escapeXml(name)}">${escapeXml(value)}</property>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<product id="${escapeXml(id)}">\n${rows.join('\n')}\n</product>\n`;
}

/** Size and checksum of a metadata file. */
export function describeText(
  described: Described,
  format: 'xml' | 'json' | 'txt',
): { sizeBytes: number; checksum: string } {
  const text = writeText(described, format);
  return { sizeBytes: Buffer.byteLength(text), checksum: `1220${hash('sha256', text)}` };
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
