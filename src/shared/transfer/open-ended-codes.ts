import type { ErrorCode } from '../errors/error-codes.ts';

/**
 * What is over when a person has done something: a transfer that waits for it goes on nobody knows when, whatever time it
 * looks again at.
 */
export const openEndedCodes: readonly ErrorCode[] = [
  'transfer.disk-full',
  'transfer.destination-missing',
  'auth.required',
  'auth.client-refused',
  'auth.secret-missing',
  'network.sign-in',
  'network.proxy',
  'network.switched-off',
];
