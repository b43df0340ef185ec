import { AppError, isAppError } from '#shared/errors/app-error.ts';
import type { Timers } from '../tasks/timers.ts';

const rememberedMs = 5 * 60_000;

/**
 * Tells a page of the network, such as a hotel's before one has signed in, from a page of a server: the network's comes
 * from every server, and the catalog can't be reached through it.
 */
export interface SignInPages {
  /**
   * A page came where a file should be. Gives what that means: `network.sign-in` when the network has put it there, else
   * the error as it is.
   */
  judge(page: { error: AppError; origin: string; connectionId: string }): Promise<AppError>;
}

/** Remembers for some minutes which servers a page came from. `isReachable` asks the catalog's own server. */
export function createSignInPages(options: {
  timers: Timers;
  isReachable: (connectionId: string) => Promise<boolean>;
}): SignInPages {
  const { timers, isReachable } = options;
  const seen = new Map<string, number>();
  return {
    async judge({ error, origin, connectionId }) {
      const nowMs = timers.elapsedMs();
      seen.set(hostOf(origin), nowMs);
      for (const [host, atMs] of seen) if (nowMs - atMs > rememberedMs) seen.delete(host);
      const isOfAll = seen.size > 1;
      const isOfNetwork = isOfAll || !(await isReachable(connectionId).catch(() => false));
      if (!isOfNetwork) return error;
      return toSignIn(error);
    },
  };
}

/** Whether the catalog answers as it does when the network puts a page in its place. */
export function isPageOfNetwork(error: unknown): error is AppError {
  const isPage = isAppError(error, 'stac.invalid-response') || isAppError(error, 'stac.not-an-api');
  return isPage || (isAppError(error) && error.code.startsWith('network.'));
}

/** A page of the network, in place of what it was taken for. */
export function toSignIn(cause: unknown): AppError {
  return new AppError('network.sign-in', 'The network is showing a page of its own', {
    retryable: true,
    cause,
  });
}

function hostOf(origin: string): string {
  return new URL(origin).host;
}
