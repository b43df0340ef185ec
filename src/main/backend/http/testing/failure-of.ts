import { AppError } from '#shared/errors/app-error.ts';

/** The AppError that a call fails with; anything else fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<AppError> {
  const outcome: unknown = await promise.then(
    () => 'success',
    (thrown: unknown) => thrown,
  );
  if (outcome instanceof AppError) return outcome;
  throw new Error(`expected an AppError, got ${String(outcome)}`, { cause: outcome });
}
