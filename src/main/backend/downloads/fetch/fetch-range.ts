import { basename } from 'node:path';
import { isAppError } from '#shared/errors/app-error.ts';
import type { ResolvedLink } from '../../links/link.ts';
import { mayBeOneTooMany, readRefusal } from '../../links/read-refusal.ts';
import type { PartFile } from '../file/part-file.ts';
import type { TransferRun } from '../run/transfer-run.ts';
import { judgeResponse, saysWhy, type Verdict } from './judge-response.ts';
import type { LinkLadder } from './link-ladder.ts';
import { leadsAstray, openSource, type OpenedSource } from './open-source.ts';
import type { Overlap } from './overlap.ts';
import type { Claim } from './range-plan.ts';
import { receiveBody } from './receive-body.ts';
import { noteBusy } from './server-waits.ts';
import { ifRangeOf, isProvedAtEnd, showsSameObject, validatorsOf } from './validators.ts';

/**
 * How a range ended: it is there; its link was refused, and another may be had; this server's ranges can't be relied on;
 * or it wants fewer connections.
 */
export type RangeEnd = 'complete' | 'refused' | 'unreliable' | 'unwelcome';

type LetThrough = Extract<Verdict, { kind: 'write' }>;

/** A stretch of a window, and who brings it. */
export interface RangeToFetch {
  run: TransferRun;
  part: PartFile;
  ladder: LinkLadder;
  overlap: Overlap;
  claim: Claim;
  pieceBytes: number;
  signal: AbortSignal;
  /** Called when it is about to ask, once it has a connection. */
  onAsk: () => void;
  onBytes: (bytes: number) => void;
}

/**
 * Brings one stretch, from the source that the rest of the file comes from; less of it where an answer ends before.
 * @throws AppError `network.*`, `http.*`, `link.*`, `cancelled`, and those of the part file: the range may be tried again
 */
export async function fetchRange(options: RangeToFetch): Promise<RangeEnd> {
  const { run, part, ladder, overlap, claim, signal, onAsk, onBytes } = options;
  const { row, parts } = run;
  const { link } = await ladder.resolve();
  const { origin } = new URL(link.url);
  // Another server's validators say nothing of the bytes that are there.
  if (origin !== row.sourceOrigin || row.totalBytes === null) return 'unreliable';
  const startBytes = startOf(options);
  const ifRange = ifRangeOf(row);
  const release = await parts.hosts.connect(origin, signal);
  onAsk();
  try {
    const headers = {
      'accept-encoding': 'identity',
      range: `bytes=${startBytes}-${claim.endBytes - 1}`,
      ...(ifRange === null ? {} : { 'if-range': ifRange }),
    };
    const answer = await openSource(parts.http, { url: link.url, headers, signal }).catch(
      (error: unknown) => {
        if (!isAppError(error) || !leadsAstray(error)) throw error;
        ladder.refuse(error, link);
        return null;
      },
    );
    if (answer === null) return 'refused';
    const verdict = judgeResponse(answer, {
      rangeStart: startBytes,
      ifRange,
      validators: validatorsOf(row),
      totalBytes: row.totalBytes,
      partBytes: row.totalBytes,
      isProvedAtEnd: isProvedAtEnd(row),
      file: { mediaType: row.mediaType, fileName: basename(row.filePath ?? '') },
      nowMs: parts.clock.now(),
    });
    if (verdict.kind !== 'write' || !isWanted(verdict, startBytes) || !showsSameObject(row, answer.headers)) {
      return await turnAway({ run, ladder, link, answer, verdict });
    }
    const endBytes = Math.min(verdict.endBytes ?? claim.endBytes, claim.endBytes);
    const takenBytes = part.takenUntil(claim.startBytes);
    const end = await receiveBody({
      body: answer.body,
      part,
      startBytes,
      endBytes,
      url: link.url,
      timers: parts.timers,
      throttle: parts.throttle,
      hosts: parts.hosts,
      signal,
      onIdle: () => run.noteIdle(),
      onBytes,
    });
    if (end !== 'complete') return 'unreliable';
    return judgeEnd({ overlap, claim, takenBytes, endBytes });
  } finally {
    release();
  }
}

function judgeEnd(ended: {
  overlap: Overlap;
  claim: Claim;
  /** What was there before. */
  takenBytes: number;
  endBytes: number;
}): RangeEnd {
  const { overlap, claim, takenBytes, endBytes } = ended;
  if (endBytes === claim.endBytes) return 'complete';
  overlap.noteShort();
  return endBytes > takenBytes ? 'complete' : 'unreliable';
}

// Exactly what was asked for, and nothing that would first have to be held against what is there.
function isWanted({ startBytes, endBytes, changeIfOther }: LetThrough, wantedStart: number): boolean {
  return startBytes === wantedStart && (endBytes ?? 0) > wantedStart && changeIfOther === undefined;
}

// The ladder decides, as it does for the file's own connection: a link that is over is renewed for all of them.
async function turnAway(turned: {
  run: TransferRun;
  ladder: LinkLadder;
  link: ResolvedLink;
  answer: OpenedSource;
  verdict: Verdict;
}): Promise<RangeEnd> {
  const { run, ladder, link, answer, verdict } = turned;
  if (verdict.kind === 'refused' && saysWhy(answer)) {
    const error = await readRefusal(answer, run.parts);
    ladder.refuse(error, link);
    return mayBeOneTooMany(error) ? 'unwelcome' : 'refused';
  }
  answer.body.destroy();
  if (verdict.kind === 'busy') throw noteBusy(run, new URL(link.url).origin, verdict.error);
  return 'unreliable';
}

function startOf({ part, overlap, claim, pieceBytes }: RangeToFetch): number {
  const pieceStart = Math.floor(claim.startBytes / pieceBytes) * pieceBytes;
  const takenBytes = part.takenUntil(claim.startBytes);
  return takenBytes > pieceStart ? Math.max(pieceStart, takenBytes - overlap.bytes) : pieceStart;
}
