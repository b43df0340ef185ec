import { describe, expect, it } from 'vitest';
import type { SearchQuery } from './search-query.ts';
import { toSentQuery } from './sent-query.ts';

type Fields = SearchQuery['fields'];

describe('the query as it goes out', () => {
  const filter = { cloudCoverBelow: 10 };

  function sentFields(fields: Fields, localFilter: typeof filter | null = filter): Fields {
    return toSentQuery({ collections: ['a'], ...(fields ? { fields } : {}) }, localFilter).fields;
  }

  it('asks for what items are told apart by', () => {
    expect(toSentQuery({ fields: { include: ['geometry'] } }).fields).toEqual({
      include: ['geometry', 'id', 'collection'],
    });
  });

  it.each<[string, Fields, Fields]>([
    ['include', { include: ['id'] }, { include: ['id', 'properties.eo:cloud_cover'] }],
    ['include all', { include: ['id', 'properties'] }, { include: ['id', 'properties'] }],
    ['exclude', { exclude: ['links', 'properties.eo:cloud_cover'] }, { exclude: ['links'] }],
    ['exclude bare', { exclude: ['links', 'eo:cloud_cover'] }, { exclude: ['links'] }],
    ['exclude all', { exclude: ['links', 'properties'] }, { exclude: ['links'] }],
    ['exclude alone', { exclude: ['properties'] }, undefined],
    ['defaults', {}, undefined],
    ['empty include', { include: [] }, undefined],
    ['whole items', undefined, undefined],
  ])('asks for the cloud cover that is judged here: %s', (_, fields, sent) => {
    expect(sentFields(fields)).toEqual(sent);
  });

  it('leaves fields alone where nothing is judged here', () => {
    const fields = { include: ['id', 'properties.gsd'], exclude: ['properties.eo:cloud_cover'] };
    expect(sentFields(fields, null)).toEqual(fields);
    expect(sentFields({}, null)).toEqual({});
  });

  it('is the same when it is made twice', () => {
    const once = toSentQuery({ fields: { include: ['geometry'] } }, filter);
    expect(toSentQuery(once, filter)).toEqual(once);
  });
});
