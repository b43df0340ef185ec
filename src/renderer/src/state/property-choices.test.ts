import { describe, expect, it } from 'vitest';
import type { Queryable } from '#shared/stac/queryables.ts';
import { listProperties, nameProperty } from './property-choices.ts';

function queryable(name: string, rest: Partial<Queryable> = {}): Queryable {
  return { name, type: 'number', title: null, values: null, minimum: null, maximum: null, ...rest };
}

describe('the properties of chosen collections', () => {
  const optical = {
    collectionId: 'optical',
    queryables: [
      queryable('view:sun_elevation', { minimum: -90 }),
      queryable('platform', { type: 'string', values: ['a', 'b'] }),
      queryable('acme:haze', { title: 'Haze (mm)' }),
    ],
  };
  const radar = {
    collectionId: 'radar',
    queryables: [queryable('platform', { type: 'string', values: ['c'] })],
  };

  it('are all there, those that every collection has first, the others with who lacks them', () => {
    const found = listProperties([optical, radar], []);
    expect(found.map(({ name, lackingIds }) => [name, lackingIds])).toEqual([
      ['platform', []],
      ['acme:haze', ['radar']],
      ['view:sun_elevation', ['radar']],
    ]);
    expect(found[0]?.values).toEqual(['a', 'b', 'c']);
  });

  it('have readable names, and units from the catalog where they are not common ones', () => {
    const found = listProperties([optical], []);
    expect(found.map(({ label, unit }) => [label, unit])).toEqual([
      ['Haze', 'mm'],
      ['Platform', ''],
      ['Sun elevation', '°'],
    ]);
  });

  it('are as the catalog describes them for all of the collections together', () => {
    const found = listProperties(
      [optical, radar],
      [queryable('platform', { type: 'string', values: ['a'] })],
    );
    expect(found[0]?.values).toEqual(['a']);
  });
});

it('knows the agriculture cloud mask under any provider’s prefix', () => {
  expect(nameProperty('acme:ag_cloud_mask_available')).toBe('Agriculture cloud mask');
  expect(nameProperty('acme:haze')).toBe('acme:haze');
});
