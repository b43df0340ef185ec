import type { Readable } from 'node:stream';
import { AppError } from '#shared/errors/app-error.ts';
import { giveBack } from '../../http/bulk/blocks.ts';
import { toNetworkError } from '../../http/network-error.ts';
import type { PartFile } from '../file/part-file.ts';
import type { Hosts } from '../limits/hosts.ts';
import type { Throttle } from '../limits/throttle.ts';
import { startStallWatchdog, type StallWatchdog } from './stall-watchdog.ts';
import type { Timers } from '../tasks/timers.ts';

/** A body that was let through, and where it belongs. */
export interface BodyToReceive {
  body: Readable;
  part: PartFile;
  /** Where in the file the body's first byte belongs; never behind the end of what is there without a gap. */
  startBytes: number;
  /** Where the body ends by its head, or by the size of the file as it is known; null where neither says it. */
  endBytes: number | null;
  /** Whether a body that goes on beyond that is of another file: its head says nothing of its end, and no checksum will. */
  mustEnd?: boolean;
  /** Asks for the file up to a position; gives how far it may be had, which nobody else then takes. */
  reserve?: (wantedBytes: number) => number;
  /** Whether even a body from the file's first byte has to agree with what is there. */
  mustAgree?: boolean;
  /** Called once, before what is there is added to: all of it is the body's from then on. */
  onNews?: (() => Promise<void>) | null;
  /** Judges the file's first bytes before any is written. */
  judgeHead?: (bytes: Buffer) => AppError | null;
  /** Names the server in errors. */
  url: string;
  timers: Timers;
  throttle: Throttle;
  hosts: Pick<Hosts, 'noteStall' | 'noteWhole' | 'isSluggish'>;
  signal: AbortSignal;
  /** Called again and again while no byte comes. */
  onIdle: () => void;
  /** Called with every chunk's size. */
  onBytes: (bytes: number) => void;
}

/** What came of a body. */
export type ReceivedBody = 'complete' | 'overlap-differs' | 'goes-on' | 'is-shorter';

/**
 * Takes a body into the part file. Where the two overlap they must be the same: a mismatch in a body that begins
 * with the file's first byte puts the part right, unless it must agree; in any other `overlap-differs` is the result and
 * nothing was written. `goes-on` is the result of one that must have ended: what came of it is in the part. `is-shorter` is
 * that of one that has ended before what is there, without having said where it would.
 * Resolves with `complete` when the body ended where it should.
 * @throws AppError `network.*` when it broke off or stalled, `cancelled`, that of `judgeHead`, and those of the part file
 */
export async function receiveBody(options: BodyToReceive): Promise<ReceivedBody> {
  const { body, endBytes, url, timers, hosts, signal } = options;
  const { origin } = new URL(url);
  const startedMs = timers.elapsedMs();
  // Kept here as well: not every stream fails with the very error that it was destroyed by.
  const ending: { error: AppError | null } = { error: null };
  const end = (error: AppError): void => {
    ending.error = error;
    body.destroy(error);
  };
  const watchdog = startStallWatchdog(timers, {
    isSluggish: hosts.isSluggish(origin),
    onIdle: options.onIdle,
    onStall() {
      hosts.noteStall(origin, startedMs);
      const details = { host: new URL(url).host };
      end(new AppError('network.timeout', 'The server stopped sending', { details, retryable: true }));
    },
  });
  const onAbort = () => end(new AppError('cancelled', 'The transfer was stopped'));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  let taken: Awaited<ReturnType<typeof takeChunks>>;
  try {
    taken = await takeChunks(options, watchdog);
  } catch (error) {
    throw ending.error ?? toNetworkError(error, url);
  } finally {
    watchdog.stop();
    signal.removeEventListener('abort', onAbort);
    body.destroy();
  }
  if (typeof taken === 'string') return taken;
  const { position, isLimited } = taken;
  if (endBytes === null || position === endBytes || isLimited) {
    hosts.noteWhole(origin);
    return 'complete';
  }
  throw new AppError('network.offline', 'The connection ended before the file did', {
    details: { reason: 'ENDED_EARLY', missingBytes: endBytes - position },
    retryable: true,
  });
}

// Gives the position after the last byte taken, and whether the rest is others'.
async function takeChunks(
  options: BodyToReceive,
  watchdog: StallWatchdog,
): Promise<{ position: number; isLimited: boolean } | Exclude<ReceivedBody, 'complete'>> {
  const { body, part, startBytes, endBytes, throttle, signal } = options;
  const noteNews = once(() => options.onNews?.() ?? null);
  let position = startBytes;
  for await (const received of untilItEnds(inPieces(body, throttle), options)) {
    if (received === 'goes-on') return received;
    const wanted = Math.min(endBytes ?? Infinity, position + received.length);
    const end = reserveUpTo(options, wanted);
    const chunk = received.subarray(0, Math.max(0, end - position));
    if (position === 0) throwIfWrong(options, chunk);
    watchdog.count(chunk.length);
    // The next chunk stays with the server until this one was allowed.
    if (throttle.isLimited) await watchdog.holdWhile(throttle.take(chunk.length, signal));
    const fresh = await skipEqual(options, watchdog, { chunk, position });
    if (fresh === null) return 'overlap-differs';
    position += chunk.length;
    if (fresh.length > 0) {
      await holdWhile(watchdog, noteNews());
      await holdWhile(watchdog, part.write(position - fresh.length, fresh));
    }
    options.onBytes(chunk.length);
    if (end < wanted) return { position, isLimited: true };
    // More than stated is not part of the file.
    if (position === endBytes) break;
  }
  return isShorter(options, position) ? 'is-shorter' : { position, isLimited: false };
}

// Only what says nothing of its end can have ended there.
function isShorter({ part, startBytes, endBytes }: BodyToReceive, position: number): boolean {
  return endBytes === null && position < part.takenUntil(startBytes);
}

async function holdWhile(watchdog: StallWatchdog, busy: Promise<void> | null): Promise<void> {
  if (busy !== null) await watchdog.holdWhile(busy);
}

function once<Result>(call: () => Result | null): () => Result | null {
  let isDone = false;
  return () => {
    if (isDone) return null;
    isDone = true;
    return call();
  };
}

function reserveUpTo({ reserve }: BodyToReceive, wantedBytes: number): number {
  return Math.min(wantedBytes, reserve?.(wantedBytes) ?? wantedBytes);
}

// The piece with which a body must end comes once it has: until then, whatever happens, the part file doesn't look whole.
async function* untilItEnds(
  pieces: AsyncGenerator<Buffer>,
  { mustEnd = false, startBytes, endBytes }: BodyToReceive,
): AsyncGenerator<Buffer | 'goes-on'> {
  let position = startBytes;
  let last: Buffer | null = null;
  for await (const piece of pieces) {
    position += piece.length;
    if (mustEnd && endBytes !== null && position > endBytes) yield 'goes-on';
    else if (mustEnd && position === endBytes) last = piece;
    else yield piece;
  }
  if (last !== null) yield last;
}

async function* inPieces(body: Readable, throttle: Throttle): AsyncGenerator<Buffer> {
  for await (const received of body as AsyncIterable<Buffer>) {
    let rest = received;
    while (rest.length > throttle.pieceBytes) {
      const { pieceBytes } = throttle;
      yield rest.subarray(0, pieceBytes);
      // Whoever has ended it means at once, and at a low limit what is in hand would come for minutes.
      if (body.errored) throw body.errored;
      rest = rest.subarray(pieceBytes);
    }
    yield rest;
  }
}

function throwIfWrong({ part, judgeHead }: BodyToReceive, head: Buffer): void {
  const wrong = part.prefixBytes === 0 ? judgeHead?.(head) : null;
  if (wrong) throw wrong;
}

async function skipEqual(
  { part, startBytes, mustAgree = false }: BodyToReceive,
  watchdog: StallWatchdog,
  { chunk, position }: { chunk: Buffer; position: number },
): Promise<Buffer | null> {
  const overlapBytes = Math.min(part.takenUntil(startBytes) - position, chunk.length);
  if (overlapBytes <= 0) return chunk;
  watchdog.hold();
  const equalBytes = await part.countEqual(position, chunk.subarray(0, overlapBytes));
  if (equalBytes === overlapBytes) {
    giveBack(chunk.subarray(0, overlapBytes));
    return chunk.subarray(overlapBytes);
  }
  if (startBytes > 0 || mustAgree) return null;
  await part.truncate(position + equalBytes);
  return chunk.subarray(equalBytes);
}
