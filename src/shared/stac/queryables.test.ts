import { expect, it } from 'vitest';
import { readQueryables } from './queryables.ts';

it('reads the datatypes a service announces and degrades what it cannot', () => {
  const answer = {
    type: 'object',
    properties: {
      datetime: { type: 'string', format: 'date-time', pattern: '(\\+00:00|Z)$' },
      'eo:cloud_cover': { type: ['number', 'null'], minimum: 0, maximum: 100, title: 'Cloud cover' },
      platform: { type: 'string', enum: ['one', 'two'] },
      ready: { type: 'boolean' },
      geometry: { $ref: 'https://elsewhere.example/geometry.json' },
      odd: null,
    },
  };
  expect(readQueryables(answer).map(({ name, type }) => [name, type])).toEqual([
    ['datetime', 'datetime'],
    ['eo:cloud_cover', 'number'],
    ['platform', 'string'],
    ['ready', 'boolean'],
    ['geometry', 'any'],
    ['odd', 'any'],
  ]);
  expect(readQueryables(answer)[1]).toMatchObject({ title: 'Cloud cover', minimum: 0, maximum: 100 });
  expect(readQueryables(answer)[2]?.values).toEqual(['one', 'two']);
  expect([null, {}, { properties: null }].map(readQueryables)).toEqual([[], [], []]);
});
