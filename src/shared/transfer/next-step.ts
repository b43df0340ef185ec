import { z } from 'zod';
import type { ErrorCode } from '../errors/error-codes.ts';

/** What a person can do about a transfer that failed. */
export const nextStepSchema = z.enum([
  'retry',
  'sign-in',
  'free-space',
  'choose-folder',
  'check-disk',
  'check-network',
  'ask-provider',
  'report-bug',
]);

/** What a person can do about a transfer that failed. */
export type NextStep = z.infer<typeof nextStepSchema>;

const steps: Partial<Record<ErrorCode, NextStep>> = {
  'auth.required': 'sign-in',
  'auth.forbidden': 'ask-provider',
  'auth.client-refused': 'sign-in',
  'auth.secret-missing': 'sign-in',
  'connection.not-found': 'sign-in',
  'network.tls': 'check-network',
  'network.proxy': 'check-network',
  'network.sign-in': 'check-network',
  'network.offline': 'check-network',
  'link.none': 'ask-provider',
  'link.refused': 'ask-provider',
  'link.insecure-redirect': 'ask-provider',
  'stac.item-not-found': 'ask-provider',
  'stac.collection-not-found': 'ask-provider',
  'stac.asset-not-found': 'ask-provider',
  'transfer.size-mismatch': 'ask-provider',
  'transfer.checksum-mismatch': 'ask-provider',
  'transfer.source-mismatch': 'ask-provider',
  'transfer.source-changed': 'retry',
  'transfer.disk-full': 'free-space',
  'transfer.destination-missing': 'choose-folder',
  'transfer.destination-not-writable': 'choose-folder',
  'transfer.disk-error': 'check-disk',
  'transfer.fs-too-small': 'choose-folder',
  'transfer.path-too-long': 'choose-folder',
  internal: 'report-bug',
};

/** The next step after an error; trying again where nothing better is known. */
export function nextStepAfter(code: ErrorCode): NextStep {
  return steps[code] ?? 'retry';
}
