import { AppError } from '#shared/errors/app-error.ts';
import { isOperandFor, isOperatorFor, type QueryOperator } from '#shared/search/query-operators.ts';
import type { Operand, PropertyQuery } from '#shared/search/search-query.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import { readQueryables, type QueryableType } from '#shared/stac/queryables.ts';
import type { PropertyCondition } from './property-term.ts';

/** What a collection can be asked; null when its queryables aren't known, so that anything can. */
export type QueryablesOf = (collectionId: string) => JsonObject | null;

/** The Query extension's part of a search. */
export interface PropertyConditions {
  /** Collections that have every property; Items of the others are left out without an error (§4.6, rule 3). */
  collectionIds: string[];
  conditions: PropertyCondition[];
}

/**
 * Reads `query`: every property and operator is combined with AND.
 * @throws AppError `stac.query-rejected` for a combination of property, operator and operand that isn't supported
 */
export function readPropertyQuery(
  query: PropertyQuery,
  collectionIds: readonly string[],
  queryablesOf: QueryablesOf,
): PropertyConditions {
  if (Object.keys(query).length === 0) return { collectionIds: [...collectionIds], conditions: [] };
  const terms = Object.entries(query).flatMap(([property, operators]) =>
    Object.entries(operators).map(([operator, operand]) => ({
      property: toName(property),
      operator,
      operand,
    })),
  );
  for (const term of terms) if (!isOperatorFor('any', term.operator)) throw rejected(term);

  const types = new Map(collectionIds.map((id) => [id, readTypes(queryablesOf(id))]));
  const having = collectionIds.filter((id) =>
    Object.keys(query).every((property) => types.get(id)?.(toName(property)) !== null),
  );
  const conditions = terms.map((term) =>
    checkTerm(
      term,
      having.map((id) => types.get(id)?.(term.property) ?? 'any'),
    ),
  );
  return { collectionIds: having, conditions };
}

// Null for a property that the collection doesn't have. An answer that lists none tells nothing: the collection would never
// be found by any.
function readTypes(queryables: JsonObject | null): (property: string) => QueryableType | null {
  const types = new Map(readQueryables(queryables).map(({ name, type }) => [toName(name), type]));
  if (types.size === 0) return () => 'any';
  return (property) => types.get(property) ?? null;
}

function checkTerm(
  { property, operator, operand }: { property: string; operator: string; operand: Operand },
  types: readonly QueryableType[],
): PropertyCondition {
  for (const type of types.length > 0 ? types : (['any'] as const)) {
    if (!isOperatorFor(type, operator) || !isOperandFor(type, operator, operand)) {
      throw rejected({ property, operator, type });
    }
  }
  return { property, operator: operator as QueryOperator, operand };
}

// Some servers list and some clients send properties with the path that the Fields extension uses.
function toName(property: string): string {
  return property.replace(/^properties\./, '');
}

function rejected({
  property,
  operator,
  type,
}: {
  property: string;
  operator: string;
  type?: QueryableType;
}): AppError {
  const subject = `"${operator.slice(0, 40)}" on ${type ? `the ${type} property ` : ''}"${property.slice(0, 80)}"`;
  const reason = `${subject} is not supported, or its value has the wrong type`;
  return new AppError('stac.query-rejected', `query: ${reason}`, {
    details: { field: `query.${property}`, operator, reason },
  });
}
