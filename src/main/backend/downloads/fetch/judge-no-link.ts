import { AppError, isAppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-codes.ts';
import type { Fetch } from './fetch-state.ts';
import { isNoRefusal } from './judge-response.ts';
import { isPageOfNetwork, toSignIn } from '../limits/sign-in-pages.ts';

const mostOddAnswers = 3;

/** What it means for a transfer that it was given no link: what to throw in its place. */
export function judgeNoLink(fetch: Fetch, error: unknown): unknown {
  return isPageOfNetwork(error) ? judgePage(fetch, error) : judgeProxy(fetch, error);
}

// A catalog whose links were good before may be under repair, or stand behind a page of the network.
function judgePage({ hasSeenPage }: Fetch, error: AppError): AppError {
  if (hasSeenPage) return toSignIn(error);
  const { code, message, details } = error;
  return code.startsWith('network.')
    ? error
    : new AppError(code, message, { details, retryable: true, cause: error });
}

// A proxy that neither leads to a file nor says that it won't may have a bad moment; and so may one that says that it
// won't, or has no such file, in the middle of one: the whole ladder is tried again (downloads.md c.2).
function judgeProxy({ run: { row } }: Fetch, error: unknown): unknown {
  if (!isAppError(error) || row.attempts >= mostOddAnswers) return error;
  const { code, message, details } = error;
  const isNoAnswer =
    code === 'link.refused' && typeof details['status'] === 'number' && isNoRefusal(details['status']);
  const isOtherAnswer =
    details['isOfProxy'] === true && row.durableBytes > 0 && mayBeWithdrawn.has(error.code);
  if (!isNoAnswer && !isOtherAnswer) return error;
  return new AppError(code, message, { details, retryable: true, cause: error });
}

const mayBeWithdrawn: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['auth.forbidden', 'stac.asset-not-found']);
