import { expect, it } from 'vitest';
import { readPropertyQuery } from './property-conditions.ts';

it('leaves out collections that list other properties, and none that list nothing or were never asked', () => {
  const known: Record<string, object> = {
    has: { properties: { gsd: { type: 'number' } } },
    lacks: { properties: { platform: { type: 'string' } } },
    'lists nothing': { properties: {} },
  };
  const ids = [...Object.keys(known), 'never asked'];
  const { collectionIds } = readPropertyQuery({ gsd: { lt: 20 } }, ids, (id) =>
    known[id] ? { ...known[id] } : null,
  );
  expect(collectionIds).toEqual(['has', 'lists nothing', 'never asked']);
});
