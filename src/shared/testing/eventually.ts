import { vi } from 'vitest';

/** Waits until a check doesn't throw any more: as long as the slowest machine may need, since only what hangs is a failure. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 });
}
