import type { ErrorData } from '../errors/app-error.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { needsLogin } from './needs-login.ts';

const codes: readonly ErrorCode[] = [
  'transfer.disk-full',
  'transfer.destination-missing',
  'network.sign-in',
  'network.switched-off',
];

/**
 * Whether an error is over when a person has done something: a transfer that waits for it goes on nobody knows when,
 * whatever time it looks again at.
 */
export function isOpenEnded(error: Pick<ErrorData, 'code' | 'details'>): boolean {
  return needsLogin(error) || codes.includes(error.code);
}
