import { AppError, isAppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-codes.ts';
import type { LinkedAsset, ResolvedLink } from '../../links/link.ts';
import { mayBeOneTooMany, refusalOf } from '../../links/read-refusal.ts';
import type { TransferRun } from '../run/transfer-run.ts';

/** The ways to an asset's bytes, tried one after the other as they are refused (downloads.md c.2). */
export interface LinkLadder {
  /** A link to use now. @throws AppError as ResolveLink; the refusal, when no way is left */
  resolve(): Promise<LinkedAsset>;
  /**
   * The last link was refused. What a new one may mend is minted anew, once for each kind; a refusal without a reason
   * is worth one new link in all. Then its kind is passed over. To be told before the connection is given back. Of
   * several ranges over one link the first tells; `link` is the one that was refused, where it may not be the last.
   * That no connection came about never hides what another way has answered.
   */
  refuse(error: AppError, link?: ResolvedLink): void;
  /** Whether the last link is a public address, which is only tried because other ways have answered, and refused. */
  readonly isAfterRefusal: boolean;
  /** The last link leads to bytes, but too slowly: another kind is tried before it. */
  leave(error: AppError): void;
  /** The source has changed: what the catalog says now is wanted. */
  renew(): void;
  /** Bytes came: what was refused before may be tried again. */
  forgive(): void;
}

type Kind = ResolvedLink['kind'];

/** A ladder for one run. */
export function createLinkLadder(run: TransferRun): LinkLadder {
  const { connectionId, collectionId, itemId, assetKey, linkMode, s3Access } = run.row;
  let refusedKinds = new Set<Kind>();
  let renewedKinds = new Set<Kind>();
  let current: LinkedAsset['link'] | null = null;
  let isRenewal = false;
  let hasChanged = false;
  /** Where there was no file: a new signature for the same place leads nowhere new. */
  let gone: { kind: Kind; place: string } | null = null;
  let refusal: AppError | null = null;
  let refusalKind: Kind | null = null;

  async function mint(): Promise<LinkedAsset> {
    const { bucketRegion, clockAheadMinutes } = refusal?.details ?? {};
    const linked = await run.parts.resolveLink(
      { connectionId, collectionId, itemId, assetKey },
      {
        mode: linkMode,
        ...(s3Access === null ? {} : { s3Access }),
        refused: refusedKinds,
        isRenewal,
        hasChanged,
        signal: run.signal,
        ...(typeof bucketRegion === 'string' ? { bucketRegion } : {}),
        ...(typeof clockAheadMinutes === 'number' ? { clockAheadMs: clockAheadMinutes * 60_000 } : {}),
      },
    );
    isRenewal = false;
    hasChanged = false;
    return linked;
  }

  function hasOtherAnswer(kind: Kind | undefined): boolean {
    return refusal !== null && refusalKind !== kind && !isNoAnswer(refusal);
  }

  function note(error: AppError): void {
    refusal = error;
    refusalKind = current?.kind ?? null;
  }

  function toTold(error: unknown): unknown {
    if (refusal === null || !isExhausted(error, refusal, refusedKinds)) return error;
    // A public address is only a guess; that nobody is there says less than the proxy's no.
    const isGuess = refusalKind === 'direct' && isNoAnswer(refusal);
    return isGuess && isNoOfProxy(error) ? error : withMode(refusal);
  }

  // Other ways may be left that the order doesn't take.
  function withMode({ code, message, details, retryable, cause }: AppError): AppError {
    return new AppError(code, message, { details: { ...details, linkMode }, retryable, cause });
  }

  // A public address is the same however often the catalog is asked for it, unless the file has moved.
  function mayMend(error: AppError, kind: Kind): boolean {
    if (kind === 'direct' && gone === null) return false;
    return isMendedByRenewal(error) ? !renewedKinds.has(kind) : renewedKinds.size === 0;
  }

  function passOver(kind: Kind): void {
    refusedKinds = new Set([...refusedKinds, kind]);
  }

  return {
    async resolve() {
      try {
        for (;;) {
          const linked = await mint();
          const { kind, url } = linked.link;
          current = linked.link;
          // A resolver that knows no other way must not be asked for ever.
          if (refusedKinds.has(kind)) throw refusal ?? new AppError('link.refused', 'Every link was refused');
          if (gone?.kind !== kind || gone.place !== placeOf(url)) return linked;
          passOver(kind);
        }
      } catch (error) {
        throw toTold(error);
      }
    },
    refuse(error, link) {
      if (link !== undefined && link.url !== current?.url) return;
      if (!isNoAnswer(error) || !hasOtherAnswer(current?.kind)) note(error);
      if (current === null) return;
      const { kind, url } = current;
      const said = refusalOf(error);
      // It is asked again by itself.
      if (mayBeOneTooMany(error) && run.parts.hosts.lowerAfterRefusal(new URL(url).origin)) return;
      current = null;
      if (said === 'gone') gone = { kind, place: placeOf(url) };
      if (!mayMend(error, kind)) {
        passOver(kind);
        return;
      }
      renewedKinds = new Set([...renewedKinds, kind]);
      isRenewal = true;
      hasChanged = gone !== null;
    },
    get isAfterRefusal() {
      return current?.kind === 'direct' && hasOtherAnswer('direct');
    },
    leave(error) {
      note(error);
      if (current !== null) passOver(current.kind);
    },
    renew: () => void (hasChanged = true),
    forgive() {
      refusedKinds = new Set();
      renewedKinds = new Set();
      gone = null;
      refusal = null;
      refusalKind = null;
    },
  };
}

// The catalog may know no other way, or the other way may lead nowhere: why the first was refused says more.
function isExhausted(error: unknown, refusal: AppError, refusedKinds: ReadonlySet<Kind>): boolean {
  if (!isAppError(error)) return false;
  if (error.code === 'link.none' || error.code === 'link.refused') return true;
  const isOfOtherWay = refusedKinds.size > 0 || refusalOf(refusal) === 'gone';
  return isOfOtherWay && !error.retryable && leadsNowhere.has(error.code);
}

const leadsNowhere: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'stac.asset-not-found',
  'link.insecure-redirect',
  'http.unexpected-status',
  'auth.forbidden',
]);

function isNoOfProxy(error: unknown): boolean {
  if (!isAppError(error)) return false;
  return leadsNowhere.has(error.code) || (error.code === 'link.refused' && 'status' in error.details);
}

function isNoAnswer({ code }: AppError): boolean {
  return code.startsWith('network.');
}

function isMendedByRenewal(error: AppError): boolean {
  const refusal = refusalOf(error);
  return refusal !== null && refusal !== 'forbidden' && refusal !== 'gone';
}

function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
