import { isOperandFor, isOperatorFor } from '#shared/search/query-operators.ts';
import type { Operand } from '#shared/search/search-query.ts';
import type { QueryableType } from '#shared/stac/queryables.ts';

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** What was typed as an operand of the property's datatype; undefined when it is none. A list is typed with commas. */
export function readOperand(typed: string, type: QueryableType, operator: string): Operand | undefined {
  if (operator !== 'in') return readScalar(typed.trim(), type);
  const members = typed
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => readScalar(part, type));
  const isList = (all: readonly unknown[]): all is (string | number)[] =>
    all.every((one) => typeof one === 'string' || typeof one === 'number');
  return isList(members) && members.length > 0 ? members : undefined;
}

/** An operand as a person would type it; null when the property's control can't show it. */
export function writeOperand(operand: Operand, type: QueryableType, operator: string): string | null {
  if (operand === null) return null;
  const isFitting = isOperatorFor(type, operator)
    ? isOperandFor(type, operator, operand)
    : Array.isArray(operand) === (operator === 'in') && typeof operand !== 'boolean';
  if (!isFitting) return null;
  return Array.isArray(operand) ? operand.join(', ') : String(operand);
}

/** What an operand of this datatype looks like, for whom typed something else. */
export function explainOperand(type: QueryableType, operator: string): string {
  if (operator === 'in') return 'Values with commas between them';
  return type === 'number' ? 'Write a number' : 'Write a value';
}

function readScalar(typed: string, type: QueryableType): string | number | boolean | undefined {
  const number = numberPattern.test(typed) ? Number(typed) : undefined;
  if (type === 'number') return number;
  if (type === 'boolean') return typed === 'true' ? true : typed === 'false' ? false : undefined;
  // Quotes make a text of what would be a number.
  if (type === 'any') {
    if (typed === 'true' || typed === 'false') return typed === 'true';
    return number ?? (/^".*"$/.test(typed) ? typed.slice(1, -1) : typed);
  }
  return typed;
}
