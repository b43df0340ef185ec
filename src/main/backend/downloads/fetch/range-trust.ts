import type { HttpStream } from '../../http/http-client.ts';
import type { Hosts } from '../limits/hosts.ts';
import type { RunParts } from '../transfer-run.ts';

// Servers whose ranges were found wrong, and until when each file from there comes in one stream. It may have been something
// on the way, or a file that was replaced just then.
const unreliable = new WeakMap<Hosts, Map<string, number>>();
const unreliableMs = 10 * 60_000;

type Known = Pick<RunParts, 'hosts' | 'timers'>;

/** Whether ranges of a server are worth a try. */
export function mayUseRanges({ hosts, timers }: Known, origin: string): boolean {
  return timers.elapsedMs() >= (unreliable.get(hosts)?.get(origin) ?? -Infinity);
}

/** Whether a server has shown, or at least says, that it knows ranges: only then is it asked for several. */
export function canRange({ status, headers }: Pick<HttpStream, 'status' | 'headers'>): boolean {
  return status === 206 || headers['accept-ranges']?.trim().toLowerCase() === 'bytes';
}

/** Remembers for a while that a server's ranges can't be relied on. */
export function noteUnreliable({ hosts, timers }: Known, origin: string): void {
  const untilMs = timers.elapsedMs() + unreliableMs;
  unreliable.set(hosts, (unreliable.get(hosts) ?? new Map<string, number>()).set(origin, untilMs));
}
