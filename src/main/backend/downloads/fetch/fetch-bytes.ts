import { basename } from 'node:path';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-codes.ts';
import type { LinkedAsset } from '../../links/link.ts';
import { readRefusal } from '../../links/read-refusal.ts';
import {
  compareSource,
  restart,
  takeAnnouncement,
  takeChange,
  takeLonger,
  walkBack,
} from './changed-source.ts';
import { factsOf, type Fetch } from './fetch-state.ts';
import { judgeNoLink } from './judge-no-link.ts';
import { judgeResponse, saysWhy, type Verdict } from './judge-response.ts';
import { createLinkLadder } from './link-ladder.ts';
import { leadsAstray, openSource, type OpenedSource } from './open-source.ts';
import { createOverlap } from './overlap.ts';
import { planRequest } from './plan-request.ts';
import { isProvedByHead } from './same-object.ts';
import { noteSource } from '../run/note-source.ts';
import { openRunPart } from '../run/run-part.ts';
import type { ReceivedBody } from './receive-body.ts';
import { noteBusy, ofHost, throwIfCooling, throwIfSilent } from './server-waits.ts';
import { standInLine } from './stand-in-line.ts';
import { endBody, hasBrokenOff, takeBody, type LetThrough } from './take-body.ts';
import { noSource, noValidators, type RowChanges } from '../queue/transfer-row.ts';
import { quietMs, type TransferRun } from '../run/transfer-run.ts';
import {
  goesOnWith,
  isProvedAtEnd,
  showsSameObject,
  sourceOf,
  type Announced,
  type Validators,
} from './validators.ts';
import { isUnreachable } from '../limits/is-unreachable.ts';

const mostWrongRanges = 2;
// Without a megabyte in between.
const mostBreaks = 5;

/**
 * Brings the part file to its full length, whatever the source does in between, or throws what can't be mended at
 * once. What came is synced and journalled either way.
 * @throws AppError `network.*`, `link.*`, `http.*`, `transfer.*`, `auth.*`, `stac.*`, `cancelled`
 */
export async function fetchBytes(run: TransferRun): Promise<void> {
  const ladder = createLinkLadder(run);
  const part = await openRunPart(run, { onProgress: () => ladder.forgive() });
  const fetch: Fetch = {
    run,
    part,
    startBytes: part.prefixBytes,
    ladder,
    overlap: createOverlap(),
    usesRange: true,
    usesIfRange: true,
    wrongRanges: 0,
    walkBackCount: 0,
    hasFirst: false,
    ranges: null,
    hasSeenPage: false,
  };
  run.setReceived(part.prefixBytes);
  try {
    while (!isWhole(fetch)) await fetchOnce(fetch);
    await part.checkpoint();
  } catch (error) {
    await fetch.ranges?.stop();
    // Whatever stopped the bytes, those that came are kept; if even that fails, the first error says more.
    await part.checkpoint().catch(() => undefined);
    throw error;
  } finally {
    await fetch.ranges?.stop();
    await part.close();
  }
}

function isWhole({ run, part }: Fetch): boolean {
  return run.row.totalBytes !== null && part.prefixBytes === run.row.totalBytes;
}

async function fetchOnce(fetch: Fetch): Promise<void> {
  const { run, ladder } = fetch;
  const linked = await ladder.resolve().catch((error: unknown) => {
    throw judgeNoLink(fetch, error);
  });
  await takeAnnouncement(fetch, linked);
  const { origin } = new URL(linked.link.url);
  throwIfCooling(run, origin);
  try {
    throwIfSilent(run, origin);
    const release = await standInLine(run, origin);
    await fetchFrom(fetch, { linked, origin, release }).finally(release);
  } catch (error) {
    if (!isTiring(fetch, error, origin)) throw error;
    fetch.overlap.noteBreak();
    ladder.leave(error);
  }
}

// A server that is slow, or breaks off whatever is asked of it, may have a better one beside it.
function isTiring({ run, part, startBytes }: Fetch, error: unknown, origin: string): error is AppError {
  if (isAppError(error, 'network.timeout')) return run.parts.hosts.isSluggish(origin);
  const hasBroken = isAppError(error, 'network.offline') && !isUnreachable(error);
  return hasBroken && run.row.attempts >= mostBreaks && part.prefixBytes <= startBytes;
}

async function fetchFrom(
  fetch: Fetch,
  { linked, origin, release }: { linked: LinkedAsset; origin: string; release: () => void },
): Promise<void> {
  const { run, part } = fetch;
  const { url } = linked.link;
  const { headers, ...asked } = planRequest(fetch, origin);
  const askedMs = run.parts.timers.elapsedMs();
  const answer = await openOrRefuse(fetch, { url, headers });
  if (answer === null) return;
  const verdict = judgeResponse(answer, {
    ...asked,
    totalBytes: run.row.totalBytes ?? run.row.announcedBytes,
    partBytes: part.prefixBytes,
    isProvedAtEnd: isProvedAtEnd(run.row),
    file: { mediaType: run.row.mediaType, fileName: basename(run.row.filePath ?? '') },
    nowMs: run.parts.clock.now(),
  });
  if (verdict.kind === 'write') {
    // One that compared its ETag with ours gives the whole on purpose.
    const isIgnored = asked.rangeStart !== null && answer.status === 200 && !verdict.changeIfOther;
    if (isIgnored) run.parts.hosts.noteWrongRange(origin);
    run.parts.hosts.noteAnswer(origin);
    run.parts.onAnswer(origin);
    await noteOther(fetch, verdict).catch(endBody(answer));
    const letThrough = { linked, answer, verdict, release, isFirst: asked.endBytes !== null };
    const written = write(fetch, { ...letThrough, waitMs: run.parts.timers.elapsedMs() - askedMs });
    return isIgnored ? written.catch(asWholeOnly) : written;
  }
  if (verdict.kind === 'refused' && saysWhy(answer)) {
    const error = await readRefusal(answer, run.parts);
    return act(fetch, { kind: 'refused', error }, origin);
  }
  answer.body.destroy();
  await act(fetch, verdict, origin);
}

// Of copies that each have an ETag the checksum alone is to be relied on from now on.
async function noteOther(fetch: Fetch, { isAnew, changeIfOther }: LetThrough['verdict']): Promise<void> {
  const { run } = fetch;
  if (isAnew) await restart(fetch, changed('The source has another date than before'));
  if (changeIfOther) run.update({ restarts: run.row.restarts + 1 });
}

// A storage that can't be reached, or redirects to nowhere, is no reason to wait as long as another way to the file may
// be open. Asking the catalog for that other way also shows whether there is a network at all.
async function openOrRefuse(
  { run, ladder }: Fetch,
  request: { url: string; headers: Record<string, string> },
): Promise<OpenedSource | null> {
  const stopLooking = run.parts.timers.after(quietMs, () => run.noteIdle());
  try {
    return await openSource(run.parts.http, { ...request, signal: run.signal });
  } catch (error) {
    if (!isAppError(error)) throw error;
    // What answers nobody twice, after all other ways have answered, need not be asked for a day.
    const isDead = ladder.isAfterRefusal && run.row.attempts > 0 && failsToConnect.has(error.code);
    if (!isUnreachable(error) && !leadsAstray(error) && !isDead) throw error;
    ladder.refuse(error);
    return null;
  } finally {
    stopLooking();
  }
}

const failsToConnect: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'network.offline',
  'network.timeout',
  'network.tls',
]);

async function act(
  fetch: Fetch,
  verdict: Exclude<Verdict, { kind: 'write' }>,
  origin: string,
): Promise<void> {
  const { run, ladder } = fetch;
  switch (verdict.kind) {
    case 'complete':
      run.update({ totalBytes: verdict.totalBytes });
      return;
    case 'changed':
      return takeChange(fetch, verdict.error);
    case 'without-if-range':
      fetch.usesIfRange = false;
      return;
    case 'wrong-range':
      fetch.wrongRanges += 1;
      fetch.usesRange = fetch.wrongRanges < mostWrongRanges;
      if (fetch.wrongRanges > mostWrongRanges) ladder.refuse(verdict.error);
      return;
    case 'useless':
      if (run.row.attempts < verdict.mostTries) throw ofHost(origin, verdict.error);
      ladder.refuse(ofHost(origin, asFinal(verdict.error)));
      return;
    case 'refused':
      await throwIfOfNetwork(fetch, verdict.error, origin);
      run.parts.logger.info('transfer.refused', {
        ...factsOf(run),
        why: verdict.error.code,
        ...verdict.error.details,
      });
      ladder.refuse(ofHost(origin, verdict.error));
      return;
    case 'busy':
      throw noteBusy(run, origin, verdict.error);
  }
}

function asFinal({ code, message, details }: AppError): AppError {
  return new AppError(code, message, { details });
}

async function throwIfOfNetwork(fetch: Fetch, error: AppError, origin: string): Promise<void> {
  if (error.details['isPage'] !== true) return;
  fetch.hasSeenPage = true;
  const { parts, row } = fetch.run;
  const judged = await parts.signInPages.judge({ error, origin, connectionId: row.connectionId });
  if (judged !== error) throw judged;
}

async function write(fetch: Fetch, letThrough: LetThrough): Promise<void> {
  const { run, part } = fetch;
  const { linked, answer, verdict } = letThrough;
  const { url, kind: linkKind } = linked.link;
  const { startBytes, totalBytes } = verdict;
  // A body from the first byte on puts right what is there, and all of it is of that body's object then.
  const before = startBytes > 0 ? run.row : { ...noValidators, sourceOrigin: null };
  const source = sourceOf(answer, { before, url });
  if (await isTurnedAway(fetch, letThrough, source)) return;
  await dropOthersBeyondGap(fetch, answer, source);
  const known = { ...source, totalBytes, linkKind };
  const isHeldAgainst = startBytes === 0 && part.prefixBytes > 0;
  await noteFlow(run, isHeldAgainst ? null : known).catch(endBody(answer));
  const prefixBefore = part.prefixBytes;
  const onNews = isHeldAgainst ? () => takeSource(run, known) : null;
  const result = await takeBody(fetch, { ...letThrough, onNews }).catch(asWrongContent);
  if (result instanceof AppError) {
    // Size and ETag were those of something else.
    run.update(noSource);
    return act(fetch, { kind: 'refused', error: result }, source.sourceOrigin);
  }
  if (result !== 'complete') return goBack(fetch, letThrough, result);
  // It may have ended where what is there does, and nothing was new.
  await onNews?.();
  return noteEnd(fetch, { verdict, prefixBefore, origin: source.sourceOrigin });
}

// Written down before the first byte: what it is of, where that is known already.
async function noteFlow(run: TransferRun, known: RowChanges | null): Promise<void> {
  if (run.row.state === 'preparing') run.apply('bytes-flow', known ?? {});
  else if (known) run.update(known);
  if (known) await takeSource(run);
}

// What lies beyond a gap meets no answer by whose bytes another object would show.
async function dropOthersBeyondGap(
  { run, part }: Fetch,
  answer: OpenedSource,
  { sourceOrigin }: { sourceOrigin: string },
): Promise<void> {
  if (part.gapEndBytes === null || goesOnWith(run.row, { headers: answer.headers, sourceOrigin })) return;
  await part.truncate(part.prefixBytes).catch(endBody(answer));
}

async function isTurnedAway(
  fetch: Fetch,
  letThrough: LetThrough,
  source: Validators & { sourceOrigin: string },
): Promise<boolean> {
  const { row } = fetch.run;
  const { answer, linked, verdict } = letThrough;
  const other = { ...source, totalBytes: verdict.totalBytes, url: linked.link.url };
  const isUnproved = verdict.startBytes > 0 && !isProvedByHead(row, other);
  if (!isUnproved && !isUnprovedPiece(letThrough, { ...row, ...source })) return false;
  answer.body.destroy();
  if (isUnproved) await compareSource(fetch, other);
  else fetch.hasFirst = true;
  return true;
}

async function noteEnd(
  fetch: Fetch,
  { verdict, prefixBefore, origin }: { verdict: LetThrough['verdict']; prefixBefore: number; origin: string },
): Promise<void> {
  const { run, part, ladder, overlap } = fetch;
  const hasStatedEnd = (verdict.totalBytes ?? verdict.endBytes) !== null;
  if (hasStatedEnd && !isWhole(fetch)) overlap.noteShort();
  if (hasStatedEnd && part.prefixBytes === prefixBefore && !isWhole(fetch)) {
    const error = new AppError('transfer.wrong-content', 'The source gives ranges without new bytes');
    return act(fetch, { kind: 'wrong-range', error }, origin);
  }
  fetch.walkBackCount = 0;
  ladder.forgive();
  // A body without a stated length has ended where it ended; only what the catalog announced can say more.
  if (!hasStatedEnd) run.update({ totalBytes: part.prefixBytes });
}

// What the bytes are of is known before the first of them is written (downloads.md b.3, T3).
async function takeSource(run: TransferRun, news: RowChanges | null = null): Promise<void> {
  if (news !== null) run.update(news);
  await Promise.all([noteSource(run), run.settle()]);
}

function goBack(
  fetch: Fetch,
  { answer, verdict: { startBytes, changeIfOther } }: LetThrough,
  why: Exclude<ReceivedBody, 'complete'>,
): Promise<void> {
  if (why === 'goes-on') return takeLonger(fetch);
  if (why === 'is-shorter') return takeChange(fetch, changed('The source has fewer bytes than before'));
  if (changeIfOther) return takeChange(fetch, changeIfOther);
  return walkBack(fetch, { startBytes, isSame: showsSameObject(fetch.run.row, answer.headers) });
}

function changed(why: string): AppError {
  return new AppError('transfer.source-changed', why);
}

// What follows a first stretch could be another object's, and nothing would show it: such a file comes in one stream.
function isUnprovedPiece({ isFirst, answer }: LetThrough, source: Validators & Announced): boolean {
  return isFirst && answer.status === 206 && !showsSameObject(source, answer.headers);
}

// What breaks off begins with the first byte again, and a person is not told that it goes on.
function asWholeOnly(error: unknown): never {
  if (!isAppError(error) || !hasBrokenOff(error)) throw error;
  const { code, message, details } = error;
  throw new AppError(code, message, {
    details: { ...details, givesNoRanges: true },
    retryable: true,
    cause: error,
  });
}

function asWrongContent(error: unknown): AppError {
  if (isAppError(error, 'transfer.wrong-content')) return error;
  throw error;
}
