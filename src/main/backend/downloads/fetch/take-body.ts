import { isAppError } from '#shared/errors/app-error.ts';
import type { HttpStream } from '../../http/http-client.ts';
import type { LinkedAsset } from '../../links/link.ts';
import type { Fetch } from './fetch-state.ts';
import { startRanges, type RangesOfFile } from './fetch-ranges.ts';
import type { OpenedSource } from './open-source.ts';
import type { Verdict } from './judge-response.ts';
import { receiveBody, type ReceivedBody } from './receive-body.ts';
import { isProvedAtEnd, showsSameObject, type Announced } from './validators.ts';
import { findWrongHead } from './wrong-head.ts';

/** An answer whose body may be written. */
export interface LetThrough {
  linked: LinkedAsset;
  answer: OpenedSource;
  verdict: Extract<Verdict, { kind: 'write' }>;
  /** Whether only a first stretch was asked for. */
  isFirst: boolean;
  /** How long the answer took. */
  waitMs: number;
  /** Gives the connection back to those that the server may have. */
  release: () => void;
}

/**
 * Takes the body of an answer that was let through, with other connections beside it where these help. `onNews` as in
 * `BodyToReceive`.
 * @throws AppError `network.*`, `http.*`, `link.*`, `cancelled`, `transfer.wrong-content`, and those of the part file
 */
export async function takeBody(
  fetch: Fetch,
  letThrough: LetThrough & { onNews: (() => Promise<void>) | null },
): Promise<ReceivedBody> {
  const { run, part } = fetch;
  const { linked, answer, verdict, waitMs, release, onNews } = letThrough;
  const { url } = linked.link;
  const { totalBytes } = verdict;
  const { origin } = new URL(url);
  const endBytes = verdict.endBytes ?? totalBytes;
  const ranges = await tryRanges(fetch, answer, { totalBytes, endBytes, origin, waitMs }).catch(
    endBody(answer),
  );
  try {
    const result = await receiveBody({
      body: answer.body,
      part,
      startBytes: verdict.startBytes,
      endBytes,
      mustEnd: mustEnd(verdict, run.row),
      url,
      timers: run.parts.timers,
      throttle: run.parts.throttle,
      hosts: run.parts.hosts,
      signal: run.signal,
      onIdle: () => run.noteIdle(),
      onBytes: (bytes) => {
        run.setReceived(part.prefixBytes);
        run.countReceived(bytes);
        ranges?.note(bytes);
      },
      judgeHead: (head) => findWrongHead(run.row, head),
      mustAgree: verdict.changeIfOther !== undefined,
      onNews,
      ...(ranges === null ? {} : { reserve: (wanted: number) => ranges.reserve(wanted) }),
    });
    release();
    fetch.hasFirst = true;
    if (result === 'complete' && ranges?.hasBegun === true) await ranges.finish();
    return result;
  } catch (error) {
    // The others go on, and one of them takes over where this one broke off.
    if (!hasBrokenOff(error) || ranges?.hasBegun !== true || run.signal.aborted) throw error;
    fetch.overlap.noteBreak();
    release();
    await ranges.finish();
    return 'complete';
  } finally {
    await ranges?.stop();
    fetch.ranges = null;
  }
}

// What is cut off at the size that is known looks whole, and only a checksum would tell.
function mustEnd({ endBytes }: LetThrough['verdict'], row: Announced): boolean {
  return endBytes === null && !isProvedAtEnd(row);
}

/** Whether an error is of a connection that was there, or may be again. */
export function hasBrokenOff(error: unknown): boolean {
  return isAppError(error) && error.code.startsWith('network.') && error.retryable;
}

async function tryRanges(
  fetch: Fetch,
  answer: HttpStream,
  body: { totalBytes: number | null; endBytes: number | null; origin: string; waitMs: number },
): Promise<RangesOfFile | null> {
  const { run, part, ladder, overlap } = fetch;
  const { totalBytes, origin } = body;
  const mayHelp =
    totalBytes !== null &&
    canRange(answer) &&
    run.parts.hosts.mayUseRanges(origin) &&
    showsSameObject(run.row, answer.headers);
  fetch.ranges = mayHelp ? startRanges({ run, part, ladder, overlap, ...body, totalBytes }) : null;
  // One stream would run into what lies beyond a gap.
  if (fetch.ranges === null && part.gapEndBytes !== null) await part.truncate(part.prefixBytes);
  return fetch.ranges;
}

// Only what has shown, or at least says, that it knows ranges is asked for several.
function canRange({ status, headers }: Pick<HttpStream, 'status' | 'headers'>): boolean {
  return status === 206 || headers['accept-ranges']?.trim().toLowerCase() === 'bytes';
}

/** Ends an answer's body when something else has failed. */
export function endBody({ body }: HttpStream): (error: unknown) => never {
  return (error) => {
    body.destroy();
    throw error;
  };
}
