import { describe, expect, it } from 'vitest';
import { readRequestText } from './read-request-text.ts';
import { writeRequestText } from './write-request-text.ts';

describe('a request written by hand', () => {
  it('is read as it is', () => {
    const query = {
      collections: ['a'],
      query: { 'eo:cloud_cover': { lt: 1.5e1 } },
      datetime: '2026-01-01T00:00:00Z..',
    };
    expect(readRequestText(JSON.stringify(query, null, 2))).toEqual({ query });
    expect(readRequestText(' {} ')).toEqual({ query: {} });
  });

  it('is written so that a position takes one line, and reads the same again', () => {
    const query = {
      collections: ['a', 'b"c'],
      intersects: {
        type: 'MultiPoint' as const,
        coordinates: [
          [-1.5, 2],
          [3, 4],
        ],
      },
      query: { a: { eq: null }, b: {} },
      fields: { include: [] },
    };
    const text = writeRequestText(query);
    expect(text).toContain('      [-1.5, 2],\n');
    expect(readRequestText(text)).toEqual({ query });
    expect(writeRequestText({})).toBe('{}');
  });

  it.each([
    ['{\n  "limit": 10,\n}', 3, /comma too many/],
    ['{\n  "limit": 10\n  "ids": []\n}', 3, /a comma or “}”/],
    ['{\n  limit: 10\n}', 2, /double quotes/],
    ['{\n  "ids": [\'a\']\n}', 2, /double quotes/],
    ['{\n  "ids": ["a\n"]\n}', 2, /isn’t closed/],
    ['{\n  "limit": 010\n}', 2, /./],
    ['{"limit": 1} x', 1, /follows/],
    ['{"limit": 1, "limit": 2}', 1, /twice/],
    ['{\n\n"limit": ', 3, /too early/],
    ['', 1, /too early/],
    ['['.repeat(5000), 1, /too deeply/],
  ])('says where %j stops being JSON', (text, line, why) => {
    expect(readRequestText(text)).toEqual({
      fault: { line, member: null, why: expect.stringMatching(why) as string },
    });
  });

  it.each([
    ['{\n"limit": 1,\n"collections": "a"\n}', 3, 'collections', /a list/],
    ['{\n"ids": [\n"a",\n1]\n}', 4, 'ids.1', /a text/],
    ['{\n"limit": 0\n}', 2, 'limit', /./],
    ['{\n"datetime": "today"\n}', 2, 'datetime', /RFC 3339/],
    ['{\n"bbox": [1, 2, 3]\n}', 2, 'bbox', /./],
    ['{\n"bbox": [0, 5, 1, 4]\n}', 2, 'bbox', /south/],
    ['{\n"filter": {}\n}', 2, 'filter', /no such member/],
    ['{\n"intersects": {"type": "Circle"}\n}', 2, /^intersects/, /./],
    ['{\n"query": {\n"a": {\n"lt": {}}}\n}', 4, 'query.a.lt', /./],
    ['{\n"sortby": [{"field": "a",\n"direction": "up"}]\n}', 3, 'sortby.0.direction', /./],
  ])('names the member of %j that is wrong, and its line', (text, line, member, why) => {
    expect(readRequestText(text)).toEqual({
      fault: {
        line,
        member: typeof member === 'string' ? member : (expect.stringMatching(member) as string),
        why: expect.stringMatching(why) as string,
      },
    });
  });
});
