import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import type { HttpStream } from '../http/http-client.ts';
import type { LinkedAsset } from '../links/link.ts';
import { isStrongEtag, judgeResponse, type Verdict } from './judge-response.ts';
import { createLinkLadder, type LinkLadder } from './link-ladder.ts';
import { decodeChecksum } from './multihash.ts';
import { openSource } from './open-source.ts';
import { openPartFile, type PartFile } from './part-file.ts';
import { receiveBody } from './receive-body.ts';
import type { TransferRun } from './transfer-run.ts';
import { isUnreachable } from './wait-policy.ts';

// A broken connection may have left garbage of this size at its end (downloads.md §0.6).
const overlapBytes = 64 * 1024;
const walkBackBytes = 16 * 1024 * 1024;
const progressBytes = 1024 * 1024;
const mostRestarts = 3;
const mostWrongRanges = 2;

/** What one run has learned about its source; forgotten with it. */
interface Fetch {
  run: TransferRun;
  part: PartFile;
  ladder: LinkLadder;
  usesRange: boolean;
  usesIfRange: boolean;
  wrongRanges: number;
  hasWalkedBack: boolean;
}

/**
 * Brings the part file to its full length, whatever the source does in between, or throws what can't be mended at
 * once. What came is synced and journalled either way.
 * @throws AppError `network.*`, `link.*`, `http.*`, `transfer.*`, `auth.*`, `stac.*`, `cancelled`
 */
export async function fetchBytes(run: TransferRun): Promise<void> {
  const { partPath, durableBytes } = run.row;
  if (partPath === null)
    throw new AppError('internal', 'A transfer without a part file has nowhere to write');
  const ladder = createLinkLadder(run);
  const part = await openPartFile({
    path: partPath,
    durableBytes,
    clock: run.parts.clock,
    onDurable: (bytes) => journal(run, ladder, bytes),
  });
  const fetch: Fetch = {
    run,
    part,
    ladder,
    usesRange: true,
    usesIfRange: true,
    wrongRanges: 0,
    hasWalkedBack: false,
  };
  run.setReceived(part.lengthBytes);
  try {
    while (!isWhole(fetch)) await fetchOnce(fetch);
    await part.checkpoint();
  } catch (error) {
    // Whatever stopped the bytes, those that came are kept; if even that fails, the first error says more.
    await part.checkpoint().catch(() => undefined);
    throw error;
  } finally {
    await part.close();
  }
}

function isWhole({ run, part }: Fetch): boolean {
  return run.row.totalBytes !== null && part.lengthBytes === run.row.totalBytes;
}

async function fetchOnce(fetch: Fetch): Promise<void> {
  const { run, part, ladder } = fetch;
  const linked = await ladder.resolve();
  await takeAnnouncement(fetch, linked);
  const { url } = linked.link;
  const { origin } = new URL(url);
  throwIfCooling(run, origin);
  const { headers, ...asked } = planRequest(fetch, origin);
  const answer = await openOrRefuse(fetch, { url, headers });
  if (answer === null) return;
  const verdict = judgeResponse(answer, {
    ...asked,
    totalBytes: run.row.totalBytes ?? run.row.announcedBytes,
    partBytes: part.lengthBytes,
    file: { mediaType: run.row.mediaType, fileName: basename(run.row.filePath ?? '') },
    nowMs: run.parts.clock.now(),
  });
  if (verdict.kind === 'write') return write(fetch, { linked, answer, verdict });
  answer.body.destroy();
  await act(fetch, verdict, origin);
}

// A storage that can't be reached is no reason to wait as long as another way to the file may be open. Asking the
// catalog for that other way also shows whether there is a network at all.
async function openOrRefuse(
  { run, ladder }: Fetch,
  request: { url: string; headers: Record<string, string> },
): Promise<HttpStream | null> {
  try {
    return await openSource(run.parts.http, { ...request, signal: run.signal });
  } catch (error) {
    if (!isAppError(error) || !isUnreachable(error)) throw error;
    ladder.refuse(error);
    return null;
  }
}

function planRequest(fetch: Fetch, origin: string) {
  const { run, part } = fetch;
  const etag = origin === run.row.sourceOrigin ? run.row.etag : null;
  const rangeStart =
    fetch.usesRange && part.lengthBytes > overlapBytes ? part.lengthBytes - overlapBytes : null;
  const ifRange = rangeStart !== null && fetch.usesIfRange && isStrongEtag(etag) ? etag : null;
  const headers = {
    'accept-encoding': 'identity',
    ...(rangeStart === null ? {} : { range: `bytes=${rangeStart}-` }),
    ...(ifRange === null ? {} : { 'if-range': ifRange }),
  };
  return { headers, rangeStart, etag, hasIfRange: ifRange !== null };
}

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
    case 'refused':
      run.parts.logger.info('transfer.refused', {
        ...facts(run),
        why: verdict.error.code,
        ...verdict.error.details,
      });
      ladder.refuse(verdict.error);
      return;
    case 'busy': {
      const { retryAfterMs } = verdict.error.details;
      const nowMs = run.parts.clock.now();
      if (typeof retryAfterMs === 'number') run.parts.cooldowns.start(origin, nowMs + retryAfterMs);
      throw verdict.error;
    }
  }
}

interface LetThrough {
  linked: LinkedAsset;
  answer: HttpStream;
  verdict: Extract<Verdict, { kind: 'write' }>;
}

async function write(fetch: Fetch, { linked, answer, verdict }: LetThrough): Promise<void> {
  const { run, part, ladder } = fetch;
  const { url, kind } = linked.link;
  const source = { sourceOrigin: new URL(url).origin, etag: answer.headers.etag ?? null };
  if (verdict.startBytes > 0 && !isSameObject(run, source, verdict.totalBytes)) {
    answer.body.destroy();
    return restart(fetch, new AppError('transfer.source-changed', 'The other source may hold another file'));
  }
  if (run.row.state === 'preparing') run.apply('bytes-flow');
  run.update({ ...source, totalBytes: verdict.totalBytes, linkKind: kind });
  const lengthBefore = part.lengthBytes;
  const result = await receiveBody({
    body: answer.body,
    part,
    startBytes: verdict.startBytes,
    endBytes: verdict.endBytes ?? verdict.totalBytes,
    url,
    timers: run.parts.timers,
    signal: run.signal,
    onBytes: (bytes) => {
      run.setReceived(part.lengthBytes);
      run.countReceived(bytes);
    },
  });
  if (result === 'overlap-differs') return walkBack(fetch, verdict.startBytes);
  if (verdict.totalBytes !== null && part.lengthBytes === lengthBefore && !isWhole(fetch)) {
    const error = new AppError('transfer.wrong-content', 'The source gives ranges without new bytes');
    return act(fetch, { kind: 'wrong-range', error }, source.sourceOrigin);
  }
  fetch.hasWalkedBack = false;
  ladder.forgive();
  // A body without a stated length has ended where it ended; only what the catalog announced can say more.
  if (verdict.totalBytes === null && verdict.endBytes === null) run.update({ totalBytes: part.lengthBytes });
}

// Going on from another source in the middle of a file needs proof that it is the same object (downloads.md c.2).
function isSameObject(
  run: TransferRun,
  source: { sourceOrigin: string; etag: string | null },
  totalBytes: number | null,
): boolean {
  const { row } = run;
  if (row.sourceOrigin === source.sourceOrigin) return true;
  if (totalBytes === null) return false;
  if (isStrongEtag(source.etag) && source.etag === row.etag) return true;
  return row.announcedChecksum !== null && decodeChecksum(row.announcedChecksum) !== null;
}

async function takeAnnouncement(fetch: Fetch, linked: LinkedAsset): Promise<void> {
  const { run, part } = fetch;
  const { announcedBytes, announcedChecksum, mediaType } = run.row;
  const isOther =
    areDifferent(announcedBytes, linked.sizeBytes) || areDifferent(announcedChecksum, linked.checksum);
  const news = {
    announcedBytes: linked.sizeBytes ?? announcedBytes,
    announcedChecksum: linked.checksum ?? announcedChecksum,
    mediaType: linked.mediaType ?? mediaType,
  };
  if (!isDeepStrictEqual(news, { announcedBytes, announcedChecksum, mediaType })) run.update(news);
  if (isOther && part.lengthBytes > 0) {
    await restart(fetch, new AppError('transfer.source-changed', 'The catalog announces another file now'));
  }
}

function areDifferent<Value>(before: Value | null, now: Value | null): boolean {
  return before !== null && now !== null && before !== now;
}

// A source that contradicts the catalog is the wrong one; one that contradicts only itself has changed.
async function takeChange(fetch: Fetch, error: AppError): Promise<void> {
  const { announcedBytes } = fetch.run.row;
  const { actualBytes } = error.details;
  if (announcedBytes !== null && typeof actualBytes === 'number' && actualBytes !== announcedBytes) {
    const details = { expectedBytes: announcedBytes, actualBytes };
    const mismatch = new AppError('transfer.size-mismatch', 'The source has another size than announced', {
      details,
    });
    fetch.ladder.refuse(mismatch);
    return;
  }
  fetch.ladder.renew();
  await restart(fetch, error);
}

async function restart({ run, part }: Fetch, error: AppError): Promise<void> {
  const { restarts } = run.row;
  if (restarts >= mostRestarts) throw error;
  run.parts.logger.warn('transfer.restarted', { ...facts(run), why: error.message });
  await part.truncate(0);
  run.update({ totalBytes: null, etag: null, sourceOrigin: null, restarts: restarts + 1 });
  run.setReceived(0);
}

async function walkBack(fetch: Fetch, startBytes: number): Promise<void> {
  const { run, part } = fetch;
  run.parts.logger.warn('transfer.overlap-differs', { ...facts(run), startBytes });
  if (fetch.hasWalkedBack) {
    return restart(fetch, new AppError('transfer.source-changed', 'The source has other bytes than before'));
  }
  fetch.hasWalkedBack = true;
  await part.truncate(Math.max(0, startBytes - walkBackBytes));
  run.setReceived(part.lengthBytes);
}

function throwIfCooling(run: TransferRun, origin: string): void {
  const retryAfterMs = run.parts.cooldowns.remainingMs(origin, run.parts.clock.now());
  if (retryAfterMs === 0) return;
  throw new AppError('http.too-many-requests', 'The server has asked for a pause', {
    details: { retryAfterMs },
    retryable: true,
  });
}

function journal(run: TransferRun, ladder: LinkLadder, durableBytes: number): void {
  const before = run.row.progressBytes;
  if (durableBytes < before) {
    run.update({ durableBytes, progressBytes: durableBytes });
  } else if (durableBytes < before + progressBytes) {
    run.update({ durableBytes });
  } else {
    ladder.forgive();
    const progressAtMs = run.parts.clock.now();
    run.update({ durableBytes, progressBytes: durableBytes, progressAtMs, attempts: 0 });
  }
}

function facts(run: TransferRun) {
  const { transferId, collectionId, itemId, assetKey } = run.row;
  return { transferId, collectionId, itemId, assetKey };
}
