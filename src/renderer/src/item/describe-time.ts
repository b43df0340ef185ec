import type { JsonObject } from '#shared/stac/json.ts';
import { formatLongSpan, formatLongUtc } from '../format/format-time.ts';

const dayMs = 86_400_000;

/**
 * When an item was taken: its moment, or the days of its span (STAC 1.0 common metadata) when it has no moment or the
 * span is longer than a day, as of a mosaic, whose moment is the span's start.
 */
export function describeTime(datetime: string | null, properties: JsonObject | null): string {
  const start = readText(properties?.['start_datetime']);
  const end = readText(properties?.['end_datetime']);
  const isLong = start !== null && end !== null && Date.parse(end) - Date.parse(start) >= dayMs;
  const hasMoment = typeof properties?.['datetime'] === 'string';
  const span = isLong || !hasMoment ? formatLongSpan(start, end) : null;
  return span ?? formatLongUtc(datetime) ?? 'Without a date';
}

function readText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
