import { hash } from 'node:crypto';
import type { JsonObject } from '#shared/stac/json.ts';

/** The part of an item that its metadata files tell. */
export interface Described {
  id: string;
  properties: JsonObject;
}

/** A metadata file: the item's id and properties (plain ones only, but in JSON) in the format asked for. */
export function writeText({ id, properties }: Described, format: 'xml' | 'json' | 'txt'): string {
  if (format === 'json') return `${JSON.stringify({ id, ...properties })}\n`;
  let rows = '';
  for (const name in properties) {
    const value = properties[name];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    rows +=
      format === 'txt'
        ? `${name} = ${value}\n`
        : `  <property name="${name}">${escapeXml(String(value))}</property>\n`;
  }
  if (format === 'txt') return `${rows}END\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<product id="${escapeXml(id)}">\n${rows}</product>\n`;
}

/** Size and checksum of a metadata file. */
export function describeText(
  described: Described,
  format: 'xml' | 'json' | 'txt',
): { sizeBytes: number; checksum: string } {
  const text = writeText(described, format);
  return { sizeBytes: Buffer.byteLength(text), checksum: `1220${hash('sha256', text)}` };
}

function escapeXml(text: string): string {
  return text.search(/[&<>"]/) < 0 ? text : text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
