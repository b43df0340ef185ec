import type { QueryOperator } from '#shared/search/query-operators.ts';
import type { Operand } from '#shared/search/search-query.ts';
import { missingInteger } from '../columns/column-chunk.ts';
import { createRangeTest, createSlotTest } from './slot-selection.ts';
import { verdicts, type SlotTest, type Verdict } from './term.ts';

/** The numbers of a block. */
export interface NumberValues {
  values: Float64Array | Int32Array;
  scale: number;
}

/** Both ends are included. */
interface Range {
  from: number;
  to: number;
}

/** As `satisfies`, for the numbers of a block. */
export function bindNumbers(
  numbers: NumberValues,
  operator: QueryOperator,
  operand: Operand,
): SlotTest | Verdict {
  if (operator === 'in') {
    const wanted = new Set<unknown>(Array.isArray(operand) ? operand : []);
    return bindTest(numbers, (value) => wanted.has(value));
  }
  if (operand === null || Array.isArray(operand)) return verdicts.no;
  if (operator === 'neq') return bindTest(numbers, (value) => value !== operand);
  return typeof operand === 'number' ? bindRange(numbers, toRange(operator, operand)) : verdicts.no;
}

/** Whether the number is in a range. */
export function bindRange({ values, scale }: NumberValues, { from, to }: Range): SlotTest {
  if (values instanceof Float64Array) return createRangeTest(values, { from, to });
  const first = Math.max(missingInteger + 1, toFirstInteger(from, scale));
  return createRangeTest(values, { from: first, to: -toFirstInteger(-to, scale) });
}

function bindTest({ values, scale }: NumberValues, isAccepted: (value: number) => boolean): SlotTest {
  const missing = values instanceof Float64Array ? NaN : missingInteger;
  return createSlotTest((slot) => {
    const value = values[slot] ?? NaN;
    const isMet = value === value && value !== missing && isAccepted(value / scale);
    return isMet ? verdicts.yes : verdicts.no;
  });
}

function toRange(operator: Exclude<QueryOperator, 'in' | 'neq'>, operand: number): Range {
  switch (operator) {
    case 'eq':
      return { from: operand, to: operand };
    case 'lt':
      return { from: -Infinity, to: -nextNumber(-operand) };
    case 'lte':
      return { from: -Infinity, to: operand };
    case 'gt':
      return { from: nextNumber(operand), to: Infinity };
    case 'gte':
      return { from: operand, to: Infinity };
  }
}

// The smallest integer that gives a number from `from` on when it is divided by the scale.
function toFirstInteger(from: number, scale: number): number {
  let integer = Math.ceil(from * scale);
  while (Number.isFinite(integer) && (integer - 1) / scale >= from) integer -= 1;
  while (Number.isFinite(integer) && integer / scale < from) integer += 1;
  return integer;
}

const bits = new BigInt64Array(1);
const number = new Float64Array(bits.buffer);

// The number that comes right after another one.
function nextNumber(value: number): number {
  if (value === Infinity) return value;
  if (value === 0) return Number.MIN_VALUE;
  number[0] = value;
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? 1n : -1n);
  return number[0];
}
