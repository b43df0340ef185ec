import type { Fetch } from './fetch-state.ts';
import { firstEnd } from './first-end.ts';
import { ifRangeOf, validatorsOf, type Validators } from './validators.ts';

/** A request to a source for what is missing of a part file. */
export interface PlannedRequest {
  headers: Record<string, string>;
  /** First byte that is asked for; null when the whole file is. */
  rangeStart: number | null;
  /** Where a first stretch is to end; null where the file does. */
  endBytes: number | null;
  /** By what the source's answers are known again; null where it is another. */
  validators: Validators | null;
  ifRange: string | null;
}

/** Asks for the rest of the file, with what overlaps of before; of a first stretch only where others may follow beside it. */
export function planRequest(
  { run, part, overlap, usesRange, usesIfRange, hasFirst }: Fetch,
  origin: string,
): PlannedRequest {
  const isSameSource = origin === run.row.sourceOrigin;
  const startBytes = Math.max(0, part.prefixBytes - overlap.bytes);
  const endBytes = hasFirst ? null : firstEnd(run, { part, origin });
  const rangeStart = usesRange && (startBytes > 0 || endBytes !== null) ? startBytes : null;
  const isResumed = rangeStart !== null && startBytes > 0;
  const ifRange = isResumed && usesIfRange && isSameSource ? ifRangeOf(run.row) : null;
  const headers = {
    'accept-encoding': 'identity',
    ...rangeOf(rangeStart, endBytes),
    ...(ifRange === null ? {} : { 'if-range': ifRange }),
  };
  const validators = isSameSource ? validatorsOf(run.row) : null;
  return { headers, rangeStart, endBytes, validators, ifRange };
}

function rangeOf(startBytes: number | null, endBytes: number | null): { range?: string } {
  if (startBytes === null) return {};
  return { range: `bytes=${startBytes}-${endBytes === null ? '' : endBytes - 1}` };
}
