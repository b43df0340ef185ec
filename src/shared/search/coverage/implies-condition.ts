import { toEpochMicros } from '../../stac/timestamp.ts';
import type { Operand, PropertyQuery } from '../search-query.ts';

type Tests = PropertyQuery[string];

/** Whether every Item that meets the narrow conditions meets the wide ones too. In doubt it says no. */
export function impliesConditions(narrow: PropertyQuery, wide: PropertyQuery): boolean {
  const known = new Map(Object.entries(narrow).map(([property, tests]) => [toName(property), tests]));
  return Object.entries(wide).every(([property, tests]) => {
    const own = known.get(toName(property)) ?? {};
    return Object.entries(tests).every(([operator, operand]) => impliesTest(own, operator, operand));
  });
}

/** The properties that conditions name, without the path that some write before them. */
export function namesIn(query: PropertyQuery): string[] {
  return Object.keys(query).map(toName);
}

function toName(property: string): string {
  return property.replace(/^properties\./, '');
}

function impliesTest(own: Tests, operator: string, operand: Operand): boolean {
  if (operator in own && JSON.stringify(own[operator]) === JSON.stringify(operand)) return true;
  return Object.entries(own).some(([ownOperator, ownOperand]) => {
    const values = exactValues(ownOperator, ownOperand);
    if (values) return values.every((value) => meets(value, operator, operand));
    return impliesBound({ operator: ownOperator, operand: ownOperand }, { operator, operand });
  });
}

// What the property can be at all, where a condition names its values.
function exactValues(operator: string, operand: Operand): readonly (string | number | boolean)[] | null {
  if (operator === 'in' && Array.isArray(operand) && operand.length > 0) return operand;
  const isOne = operator === 'eq' && operand !== null && !Array.isArray(operand);
  return isOne ? [operand] : null;
}

function meets(value: string | number | boolean, operator: string, operand: Operand): boolean {
  if (operator === 'in') return Array.isArray(operand) && operand.some((one) => one === value);
  if (operator === 'eq') return value === operand;
  if (operator === 'neq') return comparable(value, operand) !== null && value !== operand;
  const order = comparable(value, operand);
  return order !== null && (acceptsOrder[operator]?.(order) ?? false);
}

const acceptsOrder: Record<string, (order: number) => boolean> = {
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
};

interface Bound {
  operator: string;
  operand: Operand;
}

// `< 20` is within `< 30`, and within `<= 20`; `<= 30` is not within `< 30`.
function impliesBound(own: Bound, wide: Bound): boolean {
  const isBelow = own.operator.startsWith('lt') && wide.operator.startsWith('lt');
  const isAbove = own.operator.startsWith('gt') && wide.operator.startsWith('gt');
  const order = isBelow || isAbove ? comparable(own.operand, wide.operand) : null;
  if (order === null) return false;
  if (order === 0) return wide.operator.endsWith('e') || !own.operator.endsWith('e');
  return isBelow ? order < 0 : order > 0;
}

// Numbers, and timestamps as moments; of other texts each server has its own order.
function comparable(a: Operand, b: Operand): number | null {
  if (typeof a === 'number' && typeof b === 'number') return Math.sign(a - b);
  if (typeof a !== 'string' || typeof b !== 'string') return null;
  const [left, right] = [toEpochMicros(a), toEpochMicros(b)];
  return left === null || right === null ? null : Math.sign(left - right);
}
