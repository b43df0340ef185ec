import { AppError, isAppError, toAppError } from '#shared/errors/app-error.ts';
import {
  chunkBytes as realChunkBytes,
  pieceBytes as realPieceBytes,
  windowChunks as realWindowChunks,
} from '../file/chunk.ts';
import type { PartFile } from '../file/part-file.ts';
import { sleep } from '../tasks/sleep.ts';
import type { TransferRun } from '../run/transfer-run.ts';
import { createClaimSize } from './claim-size.ts';
import { fetchRange } from './fetch-range.ts';
import type { LinkLadder } from './link-ladder.ts';
import type { Overlap } from './overlap.ts';
import { createRangePlan, type Claim, type ClaimLimits, type RangePlan } from './range-plan.ts';
import { createRangeRamp } from './range-ramp.ts';
import { throwIfCooling } from './server-waits.ts';

const mostTries = 4;
// Of a longer one the row tells, and files of other servers have the place meanwhile.
const longestPauseMs = 5000;
const leastSlowMs = 3000;
const slowShare = 0.25;
const lookMs = 1000;
// Far more than the farthest server takes to answer, and far less than it may take when nobody else is served.
const silentMs = 8000;

/** A file that comes over several connections, where that is faster. */
export interface RangesOfFile {
  /** For the body at the prefix, as `BodyToReceive.reserve`. */
  reserve(wantedBytes: number): number;
  /** Bytes came at the prefix: the time to look whether another connection would help. */
  note(bytes: number): void;
  /** Whether more than the body at the prefix was begun. */
  readonly hasBegun: boolean;
  /**
   * The body at the prefix has ended: brings the rest by ranges. Resolves too when this server's ranges can't be relied
   * on; then the window is dropped and the rest has to come in one stream.
   * @throws AppError what stopped the last of the connections
   */
  finish(): Promise<void>;
  /** Ends all connections. */
  stop(): Promise<void>;
}

interface Range {
  claim: Claim;
  controller: AbortController;
  startedMs: number;
  /** When it had a connection and asked. */
  askedMs: number | null;
  /** When the first of its bytes came. */
  firstMs: number | null;
  bytes: number;
  /** Whether it was told how it goes. */
  isTimed: boolean;
  isSlow: boolean;
  /** Whether the file had another connection when it began. */
  isExtra: boolean;
  /** Whether it was given up because nothing at all came. */
  isSilent: boolean;
}

/**
 * Begins with the body that comes at the prefix, and ends where it was asked to. `totalBytes` and the row's source are
 * known.
 */
export function startRanges(options: {
  run: TransferRun;
  part: PartFile;
  ladder: LinkLadder;
  overlap: Overlap;
  totalBytes: number;
  endBytes: number | null;
  origin: string;
  /** How long the answer took whose body comes at the prefix. */
  waitMs: number;
}): RangesOfFile {
  const { run, part, ladder, overlap, totalBytes, endBytes, origin, waitMs } = options;
  const { parts } = run;
  const { timers, hosts } = parts;
  const { chunkBytes = realChunkBytes, windowChunks = realWindowChunks } = parts.partSizes ?? {};
  const pieceBytes = Math.min(parts.partSizes?.pieceBytes ?? realPieceBytes, chunkBytes);
  const plan: RangePlan = createRangePlan(part, { totalBytes, endBytes, pieceBytes });
  const ramp = createRangeRamp(timers);
  const claimSize = createClaimSize({ chunkBytes, windowChunks });
  const ranges = new Set<Range>();
  const begun = { prefixBytes: part.prefixBytes, atMs: timers.elapsedMs() };
  /** The body at the prefix. */
  const main = { startedMs: timers.elapsedMs(), bytes: 0, isSlow: false };
  const workers = new Set<Promise<void>>();
  const rates: number[] = [];
  const stopping = new AbortController();
  const onAbort = () => stopping.abort();
  run.signal.addEventListener('abort', onAbort, { once: true });
  let hasMain = true;
  let isOver = false;
  let hasBegun = false;
  let failure: AppError | null = null;
  let waiting: (() => void)[] = [];
  let cancelLook: (() => void) | null = null;

  function note(bytes: number): void {
    const leftBytes = totalBytes - part.prefixBytes;
    const most = Math.min(parts.mostConnectionsPerFile(), hosts.mostConnections(origin));
    const bringing = Number(hasMain) + [...ranges].filter((range) => range.bytes > 0).length;
    const { count } = ramp;
    ramp.note(bytes, { leftBytes, bringing, most: hosts.mayUseRanges(origin) ? most : 1 });
    // What the others ask for first goes by how the body at the prefix went.
    if (count === 1 && ramp.count > 1) {
      const bodyMs = timers.elapsedMs() - begun.atMs;
      claimSize.note({ waitMs, bodyMs, bytes: part.prefixBytes - begun.prefixBytes });
    }
    fill();
    hurrySlow();
    wake();
  }

  // Where one holds all others up, no byte comes by which it would be noticed.
  function lookLater(): void {
    cancelLook ??= timers.after(lookMs, () => {
      cancelLook = null;
      if (ranges.size === 0) return;
      dropSilent();
      hurrySlow();
      lookLater();
    });
  }

  // Some servers say that a connection is one too many by leaving it unanswered.
  function dropSilent(): void {
    if (parts.throttle.isLimited || hosts.isSluggish(origin)) return;
    for (const range of ranges) {
      const { askedMs, firstMs, isExtra } = range;
      const isSilent = askedMs !== null && firstMs === null && timers.elapsedMs() - askedMs >= silentMs;
      if (!isSilent || !isExtra) continue;
      range.isSilent = true;
      range.controller.abort();
    }
  }

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  }

  function isWhole(): boolean {
    return part.prefixBytes >= totalBytes;
  }

  function wantedCount(): number {
    return Math.max(1, ramp.count) - (hasMain ? 1 : 0);
  }

  function fill(): void {
    while (!isOver && !isWhole() && workers.size < wantedCount()) {
      // The first is the file's own connection and needs no room beside others.
      const isExtra = hasMain || workers.size > 0;
      if (isExtra && (!hosts.hasRoom(origin) || hosts.pauseLeftMs(origin) > 0)) return;
      hasBegun = true;
      const worker: Promise<void> = work().finally(() => {
        workers.delete(worker);
        wake();
      });
      workers.add(worker);
    }
  }

  function limits(): ClaimLimits {
    const { chunkCount, windowChunks: window } = claimSize.limits;
    const piecesOfChunk = chunkBytes / pieceBytes;
    return {
      pieceCount: chunkCount * piecesOfChunk,
      windowPieces: window * piecesOfChunk,
      connections: ramp.count,
    };
  }

  async function work(): Promise<void> {
    let tries = 0;
    while (!isOver && !isWhole() && workers.size <= wantedCount()) {
      const claim = plan.claim(limits());
      if (claim === null) {
        // The window moves on with its first chunk.
        await new Promise<void>((resolve) => void waiting.push(resolve));
        continue;
      }
      const before = part.takenUntil(claim.startBytes);
      try {
        await coolDown();
        if (!(await bring(claim))) return;
        tries = 0;
      } catch (error) {
        const appError = toAppError(error);
        if (stopping.signal.aborted) return;
        overlap.noteBreak();
        tries = part.takenUntil(claim.startBytes) > before ? 1 : tries + 1;
        if (!mayTryAgain(appError, tries)) return;
        const { retryAfterMs } = appError.details;
        const delayMs = typeof retryAfterMs === 'number' ? retryAfterMs : 250 * 2 ** tries;
        await sleep(Math.min(delayMs, longestPauseMs), { timers, signal: stopping.signal });
      } finally {
        plan.release(claim);
        wake();
      }
    }
  }

  function mayTryAgain(error: AppError, tries: number): boolean {
    // A drip is something new each time.
    const isHopeless = error.code === 'network.timeout' && hosts.isSluggish(origin);
    const isPaused = hosts.pauseLeftMs(origin) > longestPauseMs;
    if (error.retryable && tries < mostTries && !isHopeless && !isPaused) return true;
    // As long as the body at the prefix comes, this connection may be asked for again after the pause.
    if (isPaused && hasMain) return false;
    failure = error;
    if (isHopeless || isPaused) endAll();
    return false;
  }

  // A pause is kept by all connections, whichever of them was told of it.
  async function coolDown(): Promise<void> {
    const leftMs = hosts.pauseLeftMs(origin);
    if (leftMs === 0 || stopping.signal.aborted) return;
    if (leftMs > longestPauseMs) throwIfCooling(run, origin);
    await sleep(leftMs, { timers, signal: stopping.signal });
    // Others may have been told of another meanwhile.
    await coolDown();
  }

  // False: this connection is one too many.
  async function bring(claim: Claim): Promise<boolean> {
    const controller = new AbortController();
    const startedMs = timers.elapsedMs();
    const range: Range = {
      claim,
      controller,
      startedMs,
      askedMs: null,
      firstMs: null,
      bytes: 0,
      isTimed: false,
      isSlow: false,
      isExtra: hasMain || ranges.size > 0,
      isSilent: false,
    };
    ranges.add(range);
    lookLater();
    try {
      const end = await fetchRange({
        run,
        part,
        ladder,
        overlap,
        claim,
        pieceBytes,
        signal: AbortSignal.any([stopping.signal, controller.signal]),
        onAsk: () => void (range.askedMs = timers.elapsedMs()),
        onBytes(bytes) {
          range.firstMs ??= timers.elapsedMs();
          range.bytes += bytes;
          // The next to be asked for need not wait for the end of this one.
          if (range.bytes >= chunkBytes / 4) noteTimes(range);
          run.setReceived(part.prefixBytes);
          run.countReceived(bytes);
          note(bytes);
        },
      });
      rates.push(rateOf(range));
      noteTimes(range);
      if (end === 'unreliable') giveUp();
      return end === 'complete' || end === 'refused';
    } catch (error) {
      if (range.isSilent && isAppError(error, 'cancelled')) {
        hosts.noteUnanswered(origin);
        return false;
      }
      // Asked for again, over another connection.
      if (range.isSlow && isAppError(error, 'cancelled')) return true;
      throw error;
    } finally {
      ranges.delete(range);
    }
  }

  function giveUp(): void {
    hosts.noteWrongRange(origin);
    endAll();
  }

  function endAll(): void {
    isOver = true;
    if (hasBegun) stopping.abort();
    wake();
  }

  function rateOf({ bytes, startedMs }: Pick<Range, 'bytes' | 'startedMs'>): number {
    return bytes / Math.max(1, timers.elapsedMs() - startedMs);
  }

  function noteTimes(range: Range): void {
    const { startedMs, firstMs, bytes, isTimed } = range;
    if (isTimed || firstMs === null) return;
    range.isTimed = true;
    claimSize.note({ waitMs: firstMs - startedMs, bodyMs: timers.elapsedMs() - firstMs, bytes });
  }

  // One bad connection would hold the whole window up.
  function hurrySlow(): void {
    if (parts.throttle.isLimited) return;
    const known = [...rates.slice(-8), ...[...ranges].map(rateOf)].sort((left, right) => left - right);
    const median = known[Math.floor(known.length / 2)] ?? 0;
    const isSlow = (one: Pick<Range, 'bytes' | 'startedMs'>) =>
      known.length >= 3 &&
      timers.elapsedMs() - one.startedMs >= leastSlowMs &&
      rateOf(one) < median * slowShare;
    for (const range of ranges) {
      if (range.isSlow || !isSlow(range)) continue;
      range.isSlow = true;
      range.controller.abort();
    }
    // It ends with what comes next, and the rest of what it would have brought is asked for anew.
    main.isSlow ||= hasMain && isSlow(main);
  }

  async function stop(): Promise<void> {
    endAll();
    cancelLook?.();
    run.signal.removeEventListener('abort', onAbort);
    await Promise.allSettled(workers);
  }

  return {
    // Once these are over, too: what they have brought lies before the body until the window is dropped.
    reserve: (wantedBytes) => (main.isSlow && !isOver ? 0 : plan.reserve(wantedBytes)),
    note(bytes) {
      main.bytes += bytes;
      note(bytes);
    },
    get hasBegun() {
      return hasBegun;
    },
    async finish() {
      hasMain = false;
      plan.releaseMain();
      fill();
      wake();
      while (workers.size > 0) await Promise.race(workers);
      await stop();
      if (run.signal.aborted) throw new AppError('cancelled', 'The transfer was stopped');
      if (isWhole()) return;
      // Then it is tried again, with what lies beyond the gap.
      if (failure !== null) throw failure;
      await part.truncate(part.prefixBytes);
    },
    stop,
  };
}
