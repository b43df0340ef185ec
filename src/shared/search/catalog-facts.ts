import { z } from 'zod';
import type { QueryableType } from '../stac/queryables.ts';
import { toEpochMicros } from '../stac/timestamp.ts';
import type { Operand, SearchQuery } from './search-query.ts';

/**
 * What was learnt about a catalog from its answers. `operator`: `lte number`, an operator beyond the documented ones and
 * the datatype of its operand; `condition`: `platform gt`, one property with one operator; `order`: `datetime asc`;
 * `wire`: `standard-interval` and `get-only`, how requests have to be written.
 */
export const catalogFactSchema = z.object({
  kind: z.enum(['operator', 'condition', 'order', 'wire']),
  name: z.string(),
  isAccepted: z.boolean(),
});

/** One thing learnt about a catalog. */
export type CatalogFact = z.infer<typeof catalogFactSchema>;

/** Operators that the service documents (catalog-service.md §4.6, Query Extension, rule 1). */
export const documentedOperators = ['gt', 'lt', 'eq'] as const;

type OrderTerm = NonNullable<SearchQuery['sortby']>[number];

const documentedByType: Record<QueryableType, readonly string[]> = {
  number: ['gt', 'lt', 'eq'],
  datetime: ['gt', 'lt', 'eq'],
  string: ['eq'],
  boolean: ['eq'],
  any: ['eq', 'gt', 'lt'],
};

/** Whether the service documents an operator. */
export function isDocumented(operator: string): boolean {
  return documentedOperators.some((known) => known === operator);
}

/** Whether the service documents an order: its default, and cloud cover (catalog-service.md §4.6, Sortby Extension). */
export function isDocumentedOrder(term: OrderTerm): boolean {
  return ['datetime desc', 'eo:cloud_cover asc', 'eo:cloud_cover desc'].includes(orderName(term));
}

/** The fact about an operator with an operand of this datatype. */
export function operatorFact(operator: string, operand: Operand, isAccepted: boolean): CatalogFact {
  return { kind: 'operator', name: `${operator} ${datatypeOf(operand)}`, isAccepted };
}

/** The fact about one property with one operator. */
export function conditionFact(property: string, operator: string, isAccepted: boolean): CatalogFact {
  return { kind: 'condition', name: `${property} ${operator}`, isAccepted };
}

/** The fact about an order. */
export function orderFact(term: OrderTerm, isAccepted: boolean): CatalogFact {
  return { kind: 'order', name: orderName(term), isAccepted };
}

/** The operators to offer for a property: the documented ones of its datatype, then those that were accepted. */
export function offeredOperators(
  facts: readonly CatalogFact[],
  property: string,
  type: QueryableType,
): string[] {
  const accepted = facts.flatMap(({ kind, name, isAccepted }) => {
    const [operator = '', datatype = ''] = name.split(' ');
    const fits = kind === 'operator' && isAccepted && (type === 'any' || datatype === type);
    return fits && !isDocumented(operator) ? [operator] : [];
  });
  return [...documentedByType[type], ...accepted].filter(
    (operator) => !isConditionRefused(facts, property, operator),
  );
}

/** Whether a catalog has refused an operator on a property. */
export function isConditionRefused(
  facts: readonly CatalogFact[],
  property: string,
  operator: string,
): boolean {
  return isRefused(facts, conditionFact(property, operator, false));
}

/** Whether an order may be offered: documented, or not refused yet. */
export function mayOrderBy(facts: readonly CatalogFact[], term: OrderTerm): boolean {
  return !isRefused(facts, orderFact(term, false));
}

/** What an answer that was no refusal proves of the question. */
export function learnFromSuccess({ query = {}, sortby = [] }: SearchQuery): CatalogFact[] {
  const conditions = Object.entries(query).flatMap(([property, tests]) =>
    Object.entries(tests).flatMap(([operator, operand]) => [
      conditionFact(property, operator, true),
      ...(isDocumented(operator) ? [] : [operatorFact(operator, operand, true)]),
    ]),
  );
  return [...conditions, ...sortby.map((term) => orderFact(term, true))];
}

function isRefused(facts: readonly CatalogFact[], fact: CatalogFact): boolean {
  return facts.some(({ kind, name, isAccepted }) => !isAccepted && kind === fact.kind && name === fact.name);
}

function orderName({ field, direction }: OrderTerm): string {
  return `${field.replace(/^properties\./, '')} ${direction}`;
}

// The datatype of a list is that of its members; the operator says that it is one.
function datatypeOf(operand: Operand): string {
  const one = Array.isArray(operand) ? operand[0] : operand;
  if (typeof one === 'string') return toEpochMicros(one) === null ? 'string' : 'datetime';
  return one === null ? 'null' : typeof one;
}
