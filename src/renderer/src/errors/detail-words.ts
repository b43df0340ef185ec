import type { ErrorData } from '#shared/errors/app-error.ts';
import { formatBytes } from '../format/format-bytes.ts';

/** The facts of an error. */
export type Details = ErrorData['details'];

/** How wrong the clock is, where a refusal told; a signature carries the time that it was made at. */
export function describeClock(details: Details): string {
  const minutes = details['clockAheadMinutes'];
  if (typeof minutes !== 'number' || minutes === 0) return '';
  return `Your clock is ${Math.abs(minutes)} min ${minutes > 0 ? 'fast' : 'slow'}.`;
}

/** A detail as text, cut where it is long; empty without it. */
export function text(details: Details, name: string): string {
  const value = details[name];
  return typeof value === 'string' ? value.slice(0, 300) : '';
}

/** A detail in quotation marks; empty without it. */
export function quote(details: Details, name: string): string {
  const value = text(details, name);
  return value === '' ? '' : `“${value}”.`;
}

/** The status of an answer; empty without it. */
export function status(details: Details): string {
  const value = details['status'];
  return typeof value === 'number' ? `Status ${value}.` : '';
}

/** Sentences, without the empty ones. */
export function join(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** What the catalog refused. It is learnt from the refusal, and not offered again for this catalog. */
export function describeCulprit(details: Details): string {
  const [property, operator, order] = [
    text(details, 'property'),
    text(details, 'operator'),
    text(details, 'order'),
  ];
  if (order !== '') return `It doesn’t sort by “${order}”; that isn’t offered any more. It says:`;
  if (operator === '') return '';
  return `It doesn’t take “${operator}” on “${property}”; that isn’t offered any more. It says:`;
}

/** How much is to come and how much is free; empty where that is unknown. */
export function describeNeed({ neededBytes, freeBytes }: Details): string {
  if (typeof neededBytes !== 'number' || typeof freeBytes !== 'number') return '';
  return `${formatBytes(neededBytes)} to come, ${formatBytes(freeBytes)} free.`;
}
