import type { QueryableType } from '../stac/queryables.ts';
import { toEpochMicros } from '../stac/timestamp.ts';
import type { Operand } from './search-query.ts';

/** Operators that the catalog service answers. It documents eq, lt and gt; the others are its ancestor's (field notes §1.8). */
export const serviceOperators = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in'] as const;

/** An operator of the Query extension that Swath evaluates itself. */
export type QueryOperator = (typeof serviceOperators)[number];

const operatorsByType: Record<QueryableType, readonly QueryOperator[]> = {
  number: ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in'],
  datetime: ['eq', 'neq', 'lt', 'lte', 'gt', 'gte'],
  string: ['eq', 'neq', 'in'],
  boolean: ['eq', 'neq'],
  any: ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in'],
};

/** Whether a name from outside is an operator that a property of this type takes. */
export function isOperatorFor(type: QueryableType, operator: string): operator is QueryOperator {
  return operatorsByType[type].some((known) => known === operator);
}

/** Whether an operand has the datatype that the property's queryable asks for. */
export function isOperandFor(type: QueryableType, operator: QueryOperator, operand: Operand): boolean {
  if (operator === 'in') return Array.isArray(operand) && operand.every((one) => isScalarFor(type, one));
  return !Array.isArray(operand) && isScalarFor(type, operand);
}

/**
 * Whether a property's value satisfies one operator. A missing or null value satisfies none, `neq` included:
 * a property that an Item doesn't have leaves the Item out (catalog-service.md §4.6, rule 3).
 */
export function satisfies(value: unknown, operator: QueryOperator, operand: Operand): boolean {
  if (value === undefined || value === null) return false;
  if (operator === 'in') return Array.isArray(operand) && operand.some((one) => compare(value, one) === 0);
  if (operand === null || Array.isArray(operand)) return false;
  const order = compare(value, operand);
  return order === null ? operator === 'neq' : acceptsOrder[operator](order);
}

const acceptsOrder: Record<Exclude<QueryOperator, 'in'>, (order: number) => boolean> = {
  eq: (order) => order === 0,
  neq: (order) => order !== 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
};

// Null when the two can't be compared. Two timestamps compare as instants, so that `Z` equals `+00:00`.
function compare(value: unknown, operand: string | number | boolean): number | null {
  if (typeof value !== typeof operand) return null;
  if (typeof value === 'string' && typeof operand === 'string') {
    const [a, b] = [toEpochMicros(value), toEpochMicros(operand)];
    if (a !== null && b !== null) return Math.sign(a - b);
    return value === operand ? 0 : value < operand ? -1 : 1;
  }
  if (typeof value === 'boolean') return value === operand ? 0 : null;
  return typeof value === 'number' && typeof operand === 'number' ? Math.sign(value - operand) : null;
}

function isScalarFor(type: QueryableType, operand: string | number | boolean | null): boolean {
  if (operand === null) return false;
  switch (type) {
    case 'number':
      return typeof operand === 'number';
    case 'boolean':
      return typeof operand === 'boolean';
    case 'string':
      return typeof operand === 'string';
    case 'datetime':
      return typeof operand === 'string' && toEpochMicros(operand) !== null;
    case 'any':
      return true;
  }
}
