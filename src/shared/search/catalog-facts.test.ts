import { describe, expect, it } from 'vitest';
import { learnFromSuccess, mayOrderBy, offeredOperators, type CatalogFact } from './catalog-facts.ts';
import { findCulprit, learnFromCulprit } from './find-culprit.ts';
import type { SearchQuery } from './search-query.ts';

const oldest = { field: 'properties.datetime', direction: 'asc' as const };

describe('what is offered', () => {
  it('is what the service documents, by datatype', () => {
    expect(offeredOperators([], 'gsd', 'number')).toEqual(['gt', 'lt', 'eq']);
    expect(offeredOperators([], 'platform', 'string')).toEqual(['eq']);
    expect(offeredOperators([], 'eda:mask', 'boolean')).toEqual(['eq']);
  });

  it('grows by what was accepted for the datatype', () => {
    const facts = learnFromSuccess({ query: { gsd: { lte: 10 }, platform: { in: ['a', 'b'] } } });
    expect(offeredOperators(facts, 'view:sun_elevation', 'number')).toEqual(['gt', 'lt', 'eq', 'lte']);
    expect(offeredOperators(facts, 'constellation', 'string')).toEqual(['eq', 'in']);
    expect(offeredOperators(facts, 'eda:mask', 'boolean')).toEqual(['eq']);
  });

  it('shrinks by what was refused', () => {
    const facts: CatalogFact[] = [{ kind: 'condition', name: 'platform eq', isAccepted: false }];
    expect(offeredOperators(facts, 'platform', 'string')).toEqual([]);
    expect(offeredOperators(facts, 'constellation', 'string')).toEqual(['eq']);
    expect(mayOrderBy([], oldest)).toBe(true);
    expect(mayOrderBy(learnFromCulprit({ kind: 'order', ...oldest }), oldest)).toBe(false);
  });
});

describe('who is to blame for a refusal', () => {
  const mixed: SearchQuery = { query: { platform: { contains: 'S2' }, gsd: { lt: 10 } } };

  it.each<[string, SearchQuery, string, unknown]>([
    [
      'the only one that is not documented',
      mixed,
      'Bad Request',
      { property: 'platform', operator: 'contains' },
    ],
    [
      'the one that the reason names',
      { query: { platform: { lt: 'a' }, gsd: { lt: 10 } } },
      'query: operator "lt" is not supported for platform',
      { property: 'platform', operator: 'lt' },
    ],
    [
      'the operator that the reason names, among several on a property',
      { query: { gsd: { lte: 1, startsWith: '1' } } },
      'gsd: startsWith is not supported',
      { property: 'gsd', operator: 'startsWith' },
    ],
    [
      'an operator that is unknown wherever it is used',
      { query: { platform: { contains: 'a' }, mission: { contains: 'b' } } },
      '',
      { property: 'platform', operator: 'contains' },
    ],
    [
      'an order that is not documented',
      { sortby: [oldest], query: { gsd: { lt: 1 } } },
      'no',
      { kind: 'order' },
    ],
    ['nobody, where two could be', { query: { a: { lte: 1 }, b: { contains: 'x' } } }, 'Bad Request', null],
    ['nobody, where all is documented', { query: { gsd: { lt: 10 } } }, 'Bad Request', null],
    ['nobody, where the reason is another member', mixed, 'bbox: west is above east', null],
    [
      'nobody, where a word only looks like an operator',
      { query: { a: { in: [1] }, b: { lte: 1 } } },
      'error in it',
      null,
    ],
  ])('is %s', (_who, query, reason, expected) => {
    const culprit = findCulprit(query, reason);
    if (expected === null) expect(culprit).toBeNull();
    else expect(culprit).toMatchObject(expected as object);
  });

  it('teaches the operator where the service doesn’t document it, else the property with it', () => {
    expect(
      learnFromCulprit({ kind: 'condition', property: 'platform', operator: 'contains', operand: 'a' }),
    ).toContainEqual({ kind: 'operator', name: 'contains string', isAccepted: false });
    expect(
      learnFromCulprit({ kind: 'condition', property: 'platform', operator: 'lt', operand: 'a' }),
    ).toEqual([{ kind: 'condition', name: 'platform lt', isAccepted: false }]);
  });
});
