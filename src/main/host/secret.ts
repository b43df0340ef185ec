import { randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret that nobody guesses. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a secret is the expected one; takes as long for a wrong one, so that its letters can't be found one by one. */
export function isSameSecret(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
