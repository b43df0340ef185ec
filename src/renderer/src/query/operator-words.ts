import type { QueryableType } from '#shared/stac/queryables.ts';

interface Words {
  /** Before the operand. */
  sign: string;
  /** In a list of operators, and read aloud. */
  name: string;
}

const ofNumbers: Readonly<Record<string, Words>> = {
  gt: { sign: '>', name: 'more than' },
  lt: { sign: '<', name: 'less than' },
  eq: { sign: '=', name: 'equal to' },
  gte: { sign: '≥', name: 'at least' },
  lte: { sign: '≤', name: 'at most' },
  neq: { sign: '≠', name: 'not equal to' },
  in: { sign: 'in', name: 'one of' },
};

const ofTimes: Readonly<Record<string, Words>> = {
  gt: { sign: 'after', name: 'after' },
  lt: { sign: 'before', name: 'before' },
  eq: { sign: 'at', name: 'exactly at' },
  gte: { sign: 'from', name: 'from' },
  lte: { sign: 'to', name: 'up to' },
  neq: { sign: 'not at', name: 'not at' },
};

const ofTexts: Readonly<Record<string, Words>> = {
  eq: { sign: 'is', name: 'is' },
  neq: { sign: 'is not', name: 'is not' },
  in: { sign: 'is one of', name: 'is one of' },
  contains: { sign: 'contains', name: 'contains' },
  startsWith: { sign: 'begins with', name: 'begins with' },
  endsWith: { sign: 'ends with', name: 'ends with' },
};

/** How an operator is called for a property of this datatype; by its own name where it is none of ours. */
export function nameOperator(operator: string, type: QueryableType): Words {
  const words = type === 'datetime' ? ofTimes : type === 'number' || type === 'any' ? ofNumbers : ofTexts;
  const known = new Map(Object.entries({ ...ofTexts, ...words })).get(operator);
  return known ?? { sign: operator, name: operator };
}
