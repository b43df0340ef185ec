import type { AppError } from '#shared/errors/app-error.ts';
import { needsLogin } from '#shared/transfer/needs-login.ts';
import { judgeFailure } from '../connection/judge-failure.ts';

/**
 * Whether a failure is likely to pass: by itself, as where the network is away or the server asks for patience, or because
 * somebody logs in.
 */
export function isPassing(error: AppError): boolean {
  if (error.retryable || error.code === 'http.too-many-requests' || error.code.startsWith('network.'))
    return true;
  const state = judgeFailure(error);
  return state === 'offline' || state === 'faulty' || needsLogin(error);
}
