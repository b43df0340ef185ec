import {
  conditionFact,
  isDocumented,
  isDocumentedOrder,
  operatorFact,
  orderFact,
  type CatalogFact,
} from './catalog-facts.ts';
import type { Operand, SearchQuery } from './search-query.ts';

/** The part of a question that a catalog refused. */
export type Culprit =
  | { kind: 'condition'; property: string; operator: string; operand: Operand }
  | { kind: 'order'; field: string; direction: 'asc' | 'desc' };

const otherMembers = ['bbox', 'intersects', 'geometry', 'datetime', 'limit', 'fields', 'ids', 'collections'];

/**
 * The part to blame for a 400: the one that the server's reason names, else the only one that the service doesn't
 * document; null when that is not clear. A part that works must not be blamed: it would not be offered again.
 */
export function findCulprit(query: SearchQuery, reason: string): Culprit | null {
  const suspects = listSuspects(query);
  const named = suspects.filter((suspect) => isNamed(reason, suspect));
  const fullyNamed = named.filter((one) => one.kind === 'condition' && namesOperator(reason, one.operator));
  for (const candidates of [fullyNamed, named.filter((one) => !isKnown(one)), named]) {
    if (candidates.length === 1) return candidates[0] ?? null;
  }
  if (named.length === 0 && otherMembers.some((member) => hasWord(reason, member))) return null;
  const undocumented = suspects.filter((suspect) => !isKnown(suspect));
  const byOperator = undocumented.filter(
    (one) => one.kind === 'condition' && namesOperator(reason, one.operator),
  );
  const [culprit, ...others] = byOperator.length > 0 ? byOperator : undocumented;
  // The same operator on several properties is one thing that the catalog doesn't know.
  return culprit && others.every((other) => isSameOperator(culprit, other)) ? culprit : null;
}

/** What a refusal teaches: an operator beyond the documented ones is not known at all, another not on that property. */
export function learnFromCulprit(culprit: Culprit): CatalogFact[] {
  if (culprit.kind === 'order') return [orderFact(culprit, false)];
  const { property, operator, operand } = culprit;
  const onProperty = conditionFact(property, operator, false);
  return isDocumented(operator) ? [onProperty] : [onProperty, operatorFact(operator, operand, false)];
}

function listSuspects({ query = {}, sortby = [] }: SearchQuery): Culprit[] {
  const conditions = Object.entries(query).flatMap(([property, tests]) =>
    Object.entries(tests).map(([operator, operand]): Culprit => ({
      kind: 'condition',
      property,
      operator,
      operand,
    })),
  );
  return [...conditions, ...sortby.map((term): Culprit => ({ kind: 'order', ...term }))];
}

function isKnown(culprit: Culprit): boolean {
  return culprit.kind === 'condition' ? isDocumented(culprit.operator) : isDocumentedOrder(culprit);
}

function isNamed(reason: string, culprit: Culprit): boolean {
  if (culprit.kind === 'condition') return hasWord(reason, culprit.property);
  return hasWord(reason, culprit.field.replace(/^properties\./, '')) && /\b(?:sort|order)/i.test(reason);
}

// "in" is a word of any sentence: it counts in quotes, or beside the word that says what it is.
function namesOperator(reason: string, operator: string): boolean {
  const name = escape(operator);
  if (operator.length > 2) return hasWord(reason, operator);
  return new RegExp(`["'\`]${name}["'\`]|\\boperat\\w+:? ${name}\\b|\\b${name} operat`, 'i').test(reason);
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w:.-])${escape(word)}(?![\\w-]|:\\w)`, 'i').test(text);
}

function isSameOperator(a: Culprit, b: Culprit): boolean {
  return a.kind === 'condition' && b.kind === 'condition' && a.operator === b.operator;
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
