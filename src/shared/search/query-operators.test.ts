import { describe, expect, it } from 'vitest';
import { isOperandFor, isOperatorFor, satisfies, type QueryOperator } from './query-operators.ts';
import type { Operand } from './search-query.ts';

describe('satisfies', () => {
  it.each<[unknown, QueryOperator, Operand, boolean]>([
    [5, 'eq', 5, true],
    [5, 'lt', 5, false],
    [5, 'lte', 5, true],
    [5, 'gt', 4.9, true],
    [5, 'gte', 5.1, false],
    [5, 'in', [1, 5], true],
    ['a', 'in', ['b'], false],
    ['a', 'neq', 'b', true],
    [null, 'neq', 'b', false],
    [undefined, 'neq', 'b', false],
    [true, 'eq', true, true],
    [true, 'neq', false, true],
    [true, 'eq', 1, false],
    ['2026-01-01T00:00:00Z', 'eq', '2026-01-01T01:00:00+01:00', true],
    ['2026-01-01T00:00:00.000002Z', 'gt', '2026-01-01T00:00:00.000001Z', true],
  ])('%j %s %j → %s', (value, operator, operand, expected) =>
    expect(satisfies(value, operator, operand)).toBe(expected),
  );
});

it('offers each datatype only the operators that the service takes', () => {
  expect([
    isOperatorFor('string', 'contains'),
    isOperatorFor('string', 'eq'),
    isOperatorFor('boolean', 'lt'),
    isOperatorFor('datetime', 'gte'),
  ]).toEqual([false, true, false, true]);
});

it('asks operands for the datatype of the property', () => {
  expect([
    isOperandFor('number', 'lt', '5'),
    isOperandFor('number', 'in', [1, 2]),
    isOperandFor('number', 'in', 1),
    isOperandFor('datetime', 'gt', '2026'),
    isOperandFor('boolean', 'eq', true),
    isOperandFor('any', 'eq', null),
  ]).toEqual([false, true, false, false, true, false]);
});
