import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { Connection } from '../connection/connection.ts';
import { isPageOfNetwork, toSignIn } from '../downloads/limits/sign-in-pages.ts';
import { isPassing } from './is-passing.ts';

/**
 * What the catalog failed with, or `network.sign-in` where it is an answer that can't be read and its landing page can't
 * be read either: the network puts a page of its own in place of both.
 */
export async function judgePage(connection: Connection, thrown: unknown): Promise<AppError> {
  const error = toAppError(thrown);
  if (isPassing(error) || !isPageOfNetwork(error)) return error;
  try {
    const { catalog } = await connection.access();
    await catalog.landingPage();
    return error;
  } catch (second) {
    const ofLanding = toAppError(second);
    if (isPassing(ofLanding)) return ofLanding;
    return isPageOfNetwork(ofLanding) ? toSignIn(error) : error;
  }
}
