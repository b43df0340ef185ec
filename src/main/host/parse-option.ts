import { InvalidArgumentError } from 'commander';

/** A TCP port of the command line; 0 means any free one. */
export function parsePort(text: string): number {
  return parseWholeNumber(text, { min: 0, max: 65_535 });
}

/** A whole number of the command line, 1 or more. */
export function parsePositive(text: string): number {
  return parseWholeNumber(text, { min: 1, max: Number.MAX_SAFE_INTEGER });
}

/** A whole number of the command line within bounds, both included. */
export function parseWholeNumber(text: string, bounds: { min: number; max: number }): number {
  const { min, max } = bounds;
  const number = /^\d+$/.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(number) && number >= min && number <= max) return number;
  const limit =
    max === Number.MAX_SAFE_INTEGER ? `of at least ${String(min)}` : `from ${String(min)} to ${String(max)}`;
  throw new InvalidArgumentError(`A whole number ${limit} is needed.`);
}
