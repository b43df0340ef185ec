import { formatLongDate, splitUtc } from '../format/format-time.ts';

interface Reach {
  cause: 'switch' | 'unreachable' | null;
  /** RFC 3339; null for an empty library. */
  libraryAsOf: string | null;
}

/** How searches are answered while the catalog isn't asked, and what ends that; null while it is. */
export function describeReach({ cause, libraryAsOf }: Reach): { state: string; next: string } | null {
  if (cause === null) return null;
  const date = splitUtc(libraryAsOf)?.date;
  const asOf = date === undefined ? '' : `, as of ${formatLongDate(date)}`;
  return cause === 'switch'
    ? {
        state: `Working offline: answering from the library${asOf}.`,
        next: 'Nothing leaves this computer until you go online.',
      }
    : {
        state: `Offline: answering from the library${asOf}.`,
        next: 'Searches run on the catalog again as soon as it answers.',
      };
}
