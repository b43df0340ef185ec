import { describe, expect, it } from 'vitest';
import { findLosses, withoutProperty } from './find-losses.ts';
import { emptyDraft } from './search-draft.ts';

const lacks = (collectionId: string, property: string): boolean =>
  collectionId === 'radar' && property !== 'platform';
const sun = { property: 'view:sun_elevation', tests: { gt: 30 } };

describe('findLosses', () => {
  it('names the collections of which nothing comes back, and what they lack', () => {
    const draft = { ...emptyDraft, collectionIds: ['optical', 'radar'], conditions: [sun] };
    expect(findLosses(draft, lacks)).toEqual([
      { property: 'view:sun_elevation', by: 'condition', collectionIds: ['radar'], isAll: false },
    ]);
    expect(findLosses({ ...draft, collectionIds: ['radar'] }, lacks)).toMatchObject([{ isAll: true }]);
  });

  it('counts the limit of cloud cover and the order by it', () => {
    const draft = {
      ...emptyDraft,
      collectionIds: ['optical', 'radar'],
      cloud: { ...emptyDraft.cloud, isLimited: true },
      order: [{ field: 'properties.eo:cloud_cover', direction: 'asc' as const }],
    };
    expect(findLosses(draft, lacks).map(({ by }) => by)).toEqual(['cloud', 'order']);
    const here = { ...draft, cloud: { ...draft.cloud, includesUnknown: true }, order: [] };
    expect(findLosses(here, lacks)).toEqual([]);
  });

  it('finds nothing in a condition of which nothing is asked, or that every collection has', () => {
    const conditions = [
      { property: 'gsd', tests: {} },
      { property: 'platform', tests: { eq: 'a' } },
    ];
    expect(findLosses({ ...emptyDraft, collectionIds: ['radar'], conditions }, lacks)).toEqual([]);
  });
});

it('takes a property away wherever the question names it', () => {
  const draft = {
    ...emptyDraft,
    conditions: [sun, { property: 'eo:cloud_cover', tests: { gt: 1 } }],
    cloud: { ...emptyDraft.cloud, isLimited: true },
    order: [{ field: 'properties.eo:cloud_cover', direction: 'desc' as const }],
  };
  expect(withoutProperty(draft, 'eo:cloud_cover')).toEqual({
    conditions: [sun],
    cloud: { ...draft.cloud, isLimited: false },
    order: [],
  });
});
