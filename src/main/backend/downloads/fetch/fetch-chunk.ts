import { basename } from 'node:path';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { toNetworkError } from '../../http/network-error.ts';
import type { HttpStream } from '../../http/http-client.ts';
import type { LinkedAsset, ResolvedLink } from '../../links/link.ts';
import { readRefusal } from '../../links/read-refusal.ts';
import type { TransferRun } from '../transfer-run.ts';
import { judgeResponse, saysWhy } from './judge-response.ts';
import { openSource } from './open-source.ts';
import { startStallWatchdog } from './stall-watchdog.ts';
import { noValidators } from './validators.ts';

/** A stretch of a file that is fetched again. */
export interface ChunkToFetch {
  startBytes: number;
  endBytes: number;
  /** The kind of link to be avoided, where there is another. */
  not: ResolvedLink['kind'] | null;
  /** Where there is none, a new one of the same kind: it may lead elsewhere. */
  isAnew?: boolean;
}

/**
 * Fetches a stretch of a transfer's file once more, from another source than the bytes that are there where there is one.
 * @throws AppError `network.*`, `link.*`, `http.*`, `auth.*`, `stac.*`, `transfer.wrong-content`, `cancelled`
 */
export async function fetchChunk(
  run: TransferRun,
  chunk: ChunkToFetch,
): Promise<{ bytes: Buffer; kind: ResolvedLink['kind'] }> {
  const { link } = await resolveOther(run, { ...chunk, isRenewal: false });
  try {
    return await fetchBy(run, link, chunk);
  } catch (error) {
    // A new link mends what says so, and may mend what doesn't say why; once.
    if (!isAppError(error, 'link.refused') || link.kind === 'direct') throw error;
    const renewed = await resolveOther(run, { ...chunk, isRenewal: true });
    return fetchBy(run, renewed.link, chunk);
  }
}

async function fetchBy(
  run: TransferRun,
  link: ResolvedLink,
  { startBytes, endBytes }: ChunkToFetch,
): Promise<{ bytes: Buffer; kind: ResolvedLink['kind'] }> {
  const { row, parts, signal } = run;
  const headers = { 'accept-encoding': 'identity', range: `bytes=${startBytes}-${endBytes - 1}` };
  const answer = await openSource(parts.http, { url: link.url, headers, signal });
  const verdict = judgeResponse(answer, {
    rangeStart: startBytes,
    ifRange: null,
    validators: noValidators,
    totalBytes: row.totalBytes,
    partBytes: row.totalBytes ?? endBytes,
    file: { mediaType: row.mediaType, fileName: basename(row.filePath ?? '') },
    nowMs: parts.clock.now(),
  });
  if (verdict.kind === 'refused' && saysWhy(answer))
    throw await readRefusal({ ...answer, url: link.url }, parts);
  if (verdict.kind !== 'write' || verdict.startBytes !== startBytes) {
    answer.body.destroy();
    throw 'error' in verdict
      ? verdict.error
      : new AppError('transfer.wrong-content', 'The server does not send the range that was asked for');
  }
  return {
    bytes: await readBody(run, answer, { url: link.url, lengthBytes: endBytes - startBytes }),
    kind: link.kind,
  };
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

async function readBody(
  { parts, signal }: TransferRun,
  { body }: HttpStream,
  { url, lengthBytes }: { url: string; lengthBytes: number },
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(lengthBytes);
  let filled = 0;
  const watchdog = startStallWatchdog(parts.timers, {
    isSluggish: parts.hosts.isSluggish(new URL(url).origin),
    onStall: () =>
      body.destroy(new AppError('network.timeout', 'The server stopped sending', { retryable: true })),
  });
  try {
    for await (const received of body as AsyncIterable<Buffer>) {
      const piece = received.subarray(0, lengthBytes - filled);
      watchdog.count(piece.length);
      if (parts.throttle.isLimited) await watchdog.holdWhile(parts.throttle.take(piece.length, signal));
      piece.copy(bytes, filled);
      filled += piece.length;
      if (filled === lengthBytes) return bytes;
    }
  } catch (error) {
    throw toNetworkError(error, url);
  } finally {
    watchdog.stop();
    body.destroy();
  }
  throw new AppError('network.offline', 'The connection ended before the file did', {
    details: { reason: 'ENDED_EARLY', missingBytes: lengthBytes - filled },
    retryable: true,
  });
}
