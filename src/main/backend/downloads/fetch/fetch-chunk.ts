import { basename } from 'node:path';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import type { LinkedAsset, ResolvedLink } from '../../links/link.ts';
import { readRefusal } from '../../links/read-refusal.ts';
import type { TransferRun } from '../run/transfer-run.ts';
import { judgeResponse, saysWhy } from './judge-response.ts';
import { openSource } from './open-source.ts';
import { readStretch } from './read-stretch.ts';
import { noteBusy, throwIfCooling } from './server-waits.ts';
import { standInLine } from './stand-in-line.ts';
import { hasBrokenOff } from './take-body.ts';

/** A stretch of a file that is fetched again. */
export interface ChunkToFetch {
  startBytes: number;
  endBytes: number;
  /** The kind of link to be avoided, where there is another. */
  not: ResolvedLink['kind'] | null;
  /** Where there is none, a new one of the same kind: it may lead elsewhere. */
  isAnew?: boolean;
}

// Of less than that at a time a chunk would take thousands of requests.
const leastProgressBytes = 64 * 1024;

/**
 * Fetches a stretch of a transfer's file once more, from another source than the bytes that are there where there is one. Where
 * a connection breaks off, or brings less than was asked for, the rest is asked for.
 * @throws AppError `network.*`, `link.*`, `http.*`, `auth.*`, `stac.*`, `transfer.wrong-content`, `cancelled`
 */
export async function fetchChunk(
  run: TransferRun,
  chunk: ChunkToFetch,
): Promise<{ bytes: Buffer; kind: ResolvedLink['kind'] }> {
  const bytes = Buffer.allocUnsafe(chunk.endBytes - chunk.startBytes);
  let filledBytes = 0;
  for (;;) {
    const rest = { ...chunk, startBytes: chunk.startBytes + filledBytes };
    const into = { bytes: bytes.subarray(filledBytes), filledBytes: 0 };
    const kind = await fetchRest(run, rest, into).catch((error: unknown) => {
      if (!hasBrokenOff(error) || into.filledBytes < leastProgressBytes) throw error;
      return null;
    });
    filledBytes += into.filledBytes;
    if (filledBytes === bytes.length && kind !== null) return { bytes, kind };
    if (into.filledBytes === 0)
      throw new AppError('transfer.wrong-content', 'The server gives ranges without bytes');
  }
}

/** Memory to be filled from its beginning. */
interface Filling {
  readonly bytes: Buffer;
  filledBytes: number;
}

async function fetchRest(
  run: TransferRun,
  chunk: ChunkToFetch,
  into: Filling,
): Promise<ResolvedLink['kind']> {
  const { link } = await resolveOther(run, { ...chunk, isRenewal: false });
  try {
    return await fetchInTurn(run, link, { chunk, into });
  } catch (error) {
    // A new link mends what says so, and may mend what doesn't say why; once.
    if (!isAppError(error, 'link.refused') || link.kind === 'direct') throw error;
    const renewed = await resolveOther(run, { ...chunk, isRenewal: true });
    return fetchInTurn(run, renewed.link, { chunk, into });
  }
}

interface Order {
  chunk: ChunkToFetch;
  into: Filling;
}

// A server has no more connections for what is put right than for all else.
async function fetchInTurn(
  run: TransferRun,
  link: ResolvedLink,
  order: Order,
): Promise<ResolvedLink['kind']> {
  const { origin } = new URL(link.url);
  throwIfCooling(run, origin);
  const release = await standInLine(run, origin);
  return fetchBy(run, link, order).finally(release);
}

async function fetchBy(
  run: TransferRun,
  link: ResolvedLink,
  { chunk: { startBytes, endBytes }, into }: Order,
): Promise<ResolvedLink['kind']> {
  const { row, parts, signal } = run;
  const { url } = link;
  const headers = { 'accept-encoding': 'identity', range: `bytes=${startBytes}-${endBytes - 1}` };
  const answer = await openSource(parts.http, { url, headers, signal });
  const verdict = judgeResponse(answer, {
    rangeStart: startBytes,
    ifRange: null,
    validators: null,
    totalBytes: row.totalBytes,
    partBytes: row.totalBytes ?? endBytes,
    file: { mediaType: row.mediaType, fileName: basename(row.filePath ?? '') },
    nowMs: parts.clock.now(),
  });
  if (verdict.kind === 'refused' && saysWhy(answer)) throw await readRefusal(answer, parts);
  if (verdict.kind === 'busy') throw noteBusy(run, new URL(url).origin, verdict.error);
  if (verdict.kind !== 'write' || verdict.startBytes !== startBytes) {
    answer.body.destroy();
    throw 'error' in verdict
      ? verdict.error
      : new AppError('transfer.wrong-content', 'The server does not send the range that was asked for');
  }
  const statedBytes = (verdict.endBytes ?? endBytes) - startBytes;
  const wantedBytes = Math.min(statedBytes, into.bytes.length);
  for await (const piece of readStretch(run, { body: answer.body, url, wantedBytes })) {
    piece.copy(into.bytes, into.filledBytes);
    into.filledBytes += piece.length;
  }
  return link.kind;
}

async function resolveOther(
  run: TransferRun,
  { not, isRenewal, isAnew = false }: Pick<ChunkToFetch, 'not' | 'isAnew'> & { isRenewal: boolean },
): Promise<LinkedAsset> {
  const { connectionId, collectionId, itemId, assetKey, linkMode, s3Access } = run.row;
  const asset = { connectionId, collectionId, itemId, assetKey };
  const wish = {
    mode: linkMode,
    isRenewal,
    hasChanged: false,
    signal: run.signal,
    ...(s3Access === null ? {} : { s3Access }),
  };
  try {
    return await run.parts.resolveLink(asset, { ...wish, refused: new Set(not === null ? [] : [not]) });
  } catch (error) {
    const isOnly = isAppError(error, 'link.none') || isAppError(error, 'link.refused');
    if (not === null || !isOnly) throw error;
    return run.parts.resolveLink(asset, { ...wish, isRenewal: isRenewal || isAnew, refused: new Set() });
  }
}
