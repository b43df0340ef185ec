import { AppError, isAppError } from '#shared/errors/app-error.ts';
import type { LinkedAsset, ResolvedLink } from '../links/link.ts';
import type { TransferRun } from './transfer-run.ts';

/** The ways to an asset's bytes, tried one after the other as they are refused (downloads.md c.2). */
export interface LinkLadder {
  /** A link to use now. @throws AppError as ResolveLink; the refusal, when no way is left */
  resolve(): Promise<LinkedAsset>;
  /** The last link was refused: it is minted anew once, then its kind is passed over. */
  refuse(error: AppError): void;
  /** The source has changed: what the catalog says now is wanted. */
  renew(): void;
  /** Bytes came: what was refused before may be tried again. */
  forgive(): void;
}

/** A ladder for one run. */
export function createLinkLadder(run: TransferRun): LinkLadder {
  const { connectionId, collectionId, itemId, assetKey, linkMode } = run.row;
  let refusedKinds = new Set<ResolvedLink['kind']>();
  let current: ResolvedLink['kind'] | null = null;
  let isRenewal = false;
  let wasRenewed = false;
  let refusal: AppError | null = null;
  return {
    async resolve() {
      try {
        const linked = await run.parts.resolveLink(
          { connectionId, collectionId, itemId, assetKey },
          { mode: linkMode, refused: refusedKinds, isRenewal, signal: run.signal },
        );
        wasRenewed = isRenewal && linked.link.kind === current;
        isRenewal = false;
        current = linked.link.kind;
        // A resolver that knows no other way must not be asked for ever.
        if (refusedKinds.has(current))
          throw refusal ?? new AppError('link.refused', 'Every link was refused');
        return linked;
      } catch (error) {
        const isExhausted = isAppError(error, 'link.none') || isAppError(error, 'link.refused');
        throw isExhausted && refusal !== null ? refusal : error;
      }
    },
    refuse(error) {
      refusal = error;
      if (!wasRenewed) {
        isRenewal = true;
        return;
      }
      if (current !== null) refusedKinds = new Set([...refusedKinds, current]);
      wasRenewed = false;
    },
    renew: () => void (isRenewal = true),
    forgive() {
      refusedKinds = new Set();
      wasRenewed = false;
      refusal = null;
    },
  };
}
