import { describe, expect, it } from 'vitest';
import { noValidators } from '../queue/transfer-row.ts';
import { judgeResponse, type Expectation } from './judge-response.ts';
import type { Validators } from './validators.ts';

const resumed: Expectation = {
  rangeStart: 1000,
  ifRange: '"v1"',
  totalBytes: 5000,
  partBytes: 1000,
  validators: { ...noValidators, etag: '"v1"' },
  file: { mediaType: 'image/tiff', fileName: 'B04.tif' },
  nowMs: Date.parse('2026-03-01T12:00:00Z'),
};
const date = 'Mon, 02 Feb 2026 10:00:00 GMT';
const dated: Validators = { etag: null, lastModified: date, lastModifiedAgeMs: 60_000 };
const first: Expectation = {
  ...resumed,
  rangeStart: null,
  ifRange: null,
  partBytes: 0,
  validators: noValidators,
};
const part = (contentRange: string, headers: Record<string, string> = {}) => ({
  status: 206,
  headers: { 'content-range': contentRange, etag: '"v1"', ...headers },
});

describe('judgeResponse', () => {
  it.each([
    ['the range asked for', part('bytes 1000-4999/5000'), { startBytes: 1000, endBytes: 5000 }],
    ['an earlier start', part('bytes 900-4999/5000'), { startBytes: 900, endBytes: 5000 }],
    ['a shorter range', part('bytes 1000-1999/5000'), { startBytes: 1000, endBytes: 2000 }],
    ['an unknown total', part('bytes 1000-4999/*'), { startBytes: 1000, totalBytes: 5000 }],
    ['a weak ETag of the same', part('bytes 1000-4999/5000', { etag: 'W/"v1"' }), { startBytes: 1000 }],
    ['an encoding that is none', part('bytes 1000-4999/5000', { 'content-encoding': 'identity' }), {}],
    ['an empty encoding', part('bytes 1000-4999/5000', { 'content-encoding': '' }), {}],
    ['none, twice', part('bytes 1000-4999/5000', { 'content-encoding': 'Identity, identity' }), {}],
    ['chunks', part('bytes 1000-4999/5000', { 'transfer-encoding': 'chunked' }), {}],
  ])('lets %s through', (_, answer, verdict) => {
    expect(judgeResponse(answer, resumed)).toMatchObject({ kind: 'write', ...verdict });
  });

  it.each([
    ['a later start', part('bytes 1001-4999/5000')],
    ['an end before the start', part('bytes 1000-999/5000')],
    ['an end beyond the total', part('bytes 1000-5000/5000')],
    ['a total that no file has', part('bytes 1000-4999/99999999999999999999')],
    ['no Content-Range', { status: 206, headers: {} }],
    ['nonsense', part('bytes */5000')],
    ['several ranges', { status: 206, headers: { 'content-type': 'multipart/byteranges; boundary=x' } }],
    ['another length than the range', part('bytes 1000-4999/5000', { 'content-length': '10' })],
  ])('takes %s for another range', (_, answer) => {
    expect(judgeResponse(answer, resumed).kind).toBe('wrong-range');
  });

  it('takes a part for another range when the whole was asked for', () => {
    expect(judgeResponse(part('bytes 0-3999/5000'), first).kind).toBe('wrong-range');
    const unsized = { ...first, totalBytes: null };
    expect(judgeResponse(part('bytes 0-4999/*'), unsized).kind).toBe('wrong-range');
  });

  it.each(['bytes 0-4999/5000', 'bytes 0-4999/*'])('takes %s for the whole that was asked for', (range) => {
    expect(judgeResponse(part(range), first)).toEqual({
      kind: 'write',
      startBytes: 0,
      endBytes: 5000,
      totalBytes: 5000,
    });
    const another = part(range, { etag: '"v2"' });
    expect(judgeResponse(another, { ...resumed, rangeStart: null }).kind).toBe('changed');
  });

  it.each([
    [null, '"v1"', 'changed'],
    ['"v1"', '"v1"', 'write'],
    // What is equal by a weak ETag is only as good as the other (RFC 9110 §8.8.3).
    ['W/"v1"', 'W/"v1"', 'changed'],
    ['"v1"', 'W/"v1"', 'changed'],
    ['W/"v1"', '"v1"', 'changed'],
  ])('judges another date beside the ETag %s that is now %s: %s', (before, etag, kind) => {
    const answer = part('bytes 1000-4999/5000', { etag, 'last-modified': 'Tue, 03 Feb 2026 10:00:00 GMT' });
    const validators = { ...dated, etag: before };
    expect(judgeResponse(answer, { ...resumed, validators }).kind).toBe(kind);
    expect(
      judgeResponse(answer, { ...resumed, validators: { ...validators, lastModifiedAgeMs: 0 } }).kind,
    ).toBe(kind);
  });

  it('takes a date that is that of each answer for none', () => {
    const now = 'Tue, 03 Feb 2026 10:00:00 GMT';
    const answer = {
      status: 206,
      headers: { 'content-range': 'bytes 1000-4999/5000', 'last-modified': now, date: now },
    };
    const stamped = { ...dated, lastModifiedAgeMs: 0 };
    expect(judgeResponse(answer, { ...resumed, validators: stamped }).kind).toBe('write');
    expect(judgeResponse(answer, { ...resumed, validators: dated }).kind).toBe('changed');
  });

  const unnamed = { status: 206, headers: { 'content-range': 'bytes 1000-4999/5000' } };
  const strong = part('bytes 1000-4999/5000');
  const weak = part('bytes 1000-4999/5000', { etag: 'W/"v1"' });
  const sameDate = { ...unnamed, headers: { ...unnamed.headers, 'last-modified': date } };

  it.each<[what: string, answer: typeof unnamed, expected: Partial<Expectation>, kind: string]>([
    ['the ETag', unnamed, {}, 'wrong-range'],
    [
      'the weak ETag',
      unnamed,
      { ifRange: null, validators: { ...noValidators, etag: 'W/"1"' } },
      'wrong-range',
    ],
    ['the ETag, where the date is the same', sameDate, { validators: { ...dated, etag: '"v1"' } }, 'write'],
    ['the ETag, where a checksum will tell', unnamed, { isProvedAtEnd: true }, 'write'],
    ['the date', unnamed, { ifRange: date, validators: dated }, 'wrong-range'],
    ['the date beside the same weak ETag', weak, { validators: { ...dated, etag: '"v1"' } }, 'wrong-range'],
    ['the date beside the same ETag', strong, { validators: { ...dated, etag: '"v1"' } }, 'write'],
    ['what the whole never had, but for an ETag', strong, { validators: noValidators }, 'wrong-range'],
    ['what never was there', unnamed, { ifRange: null, validators: noValidators }, 'write'],
  ])('judges a part that leaves out %s', (_, answer, expected, kind) => {
    expect(judgeResponse(answer, { ...resumed, ...expected }).kind).toBe(kind);
  });

  it('takes the whole by another date from its first byte, without what is there', () => {
    const whole = { status: 200, headers: { 'last-modified': 'Tue, 03 Feb 2026 10:00:00 GMT' } };
    expect(judgeResponse(whole, { ...resumed, validators: dated })).toMatchObject({
      kind: 'write',
      startBytes: 0,
      isAnew: true,
    });
  });

  it.each([
    ['"v1"', 'W/"v2"'],
    ['W/"v1"', '"v2"'],
    ['W/"v1"', 'W/"v2"'],
  ])('sees by %s that became %s that the source has changed', (before, etag) => {
    const expected = { ...resumed, validators: { ...noValidators, etag: before } };
    expect(judgeResponse(part('bytes 1000-4999/5000', { etag }), expected).kind).toBe('changed');
  });

  it.each([
    ['another total', part('bytes 1000-5999/6000')],
    ['another ETag', part('bytes 1000-4999/5000', { etag: '"v2"' })],
    ['a whole of another size', { status: 200, headers: { 'content-length': '6000' } }],
    ['a whole with another ETag', { status: 200, headers: { 'content-length': '5000', etag: '"v2"' } }],
    ['nothing left', { status: 416, headers: { 'content-range': 'bytes */900' } }],
  ])('sees by %s that the source has changed', (_, answer) => {
    expect(judgeResponse(answer, resumed)).toMatchObject({
      kind: 'changed',
      error: { code: 'transfer.source-changed' },
    });
  });

  it('asks again without If-Range before it reads the whole', () => {
    const whole = { status: 200, headers: { 'content-length': '5000', etag: '"v1"' } };
    expect(judgeResponse(whole, resumed).kind).toBe('without-if-range');
    expect(judgeResponse(whole, { ...resumed, ifRange: null })).toEqual({
      kind: 'write',
      startBytes: 0,
      endBytes: 5000,
      totalBytes: 5000,
    });
  });

  it('knows by 416 that everything is there', () => {
    const whole = { ...resumed, partBytes: 5000 };
    expect(judgeResponse({ status: 416, headers: { 'content-range': 'bytes */5000' } }, whole)).toEqual({
      kind: 'complete',
      totalBytes: 5000,
    });
    expect(judgeResponse({ status: 416, headers: {} }, whole).kind).toBe('complete');
    expect(judgeResponse({ status: 416, headers: {} }, { ...whole, partBytes: 6000 }).kind).toBe('changed');
  });

  it('believes no 416 that says itself that the bytes are there', () => {
    expect(judgeResponse({ status: 416, headers: {} }, resumed).kind).toBe('wrong-range');
    expect(judgeResponse({ status: 416, headers: {} }, first).kind).toBe('useless');
    const empty = { status: 416, headers: { 'content-range': 'bytes */0' } };
    expect(judgeResponse(empty, { ...first, totalBytes: null }).kind).toBe('useless');
    const here = { status: 416, headers: { 'content-range': 'bytes */1000' } };
    const asked = { ...resumed, rangeStart: 500, totalBytes: null };
    expect(judgeResponse(here, asked).kind).toBe('wrong-range');
    expect(judgeResponse(part('bytes 1000-999/1000'), asked).kind).toBe('wrong-range');
    const shorter = { status: 416, headers: { 'content-range': 'bytes */500' } };
    expect(judgeResponse(shorter, resumed).kind).toBe('changed');
  });

  it.each([
    [400, 'refused', 'link.refused'],
    [401, 'refused', 'link.refused'],
    [403, 'refused', 'link.refused'],
    [404, 'refused', 'http.unexpected-status'],
    [410, 'refused', 'http.unexpected-status'],
    [301, 'refused', 'http.unexpected-status'],
    [302, 'useless', 'http.unexpected-status'],
    [304, 'useless', 'http.unexpected-status'],
    [202, 'useless', 'http.unexpected-status'],
    [204, 'useless', 'http.unexpected-status'],
    [205, 'useless', 'http.unexpected-status'],
    [408, 'busy', 'http.unexpected-status'],
    [500, 'busy', 'http.unexpected-status'],
    [502, 'busy', 'http.unexpected-status'],
    [429, 'busy', 'http.too-many-requests'],
    [503, 'busy', 'http.too-many-requests'],
  ])('makes %i "%s"', (status, kind, code) => {
    expect(judgeResponse({ status, headers: {} }, first)).toMatchObject({ kind, error: { code } });
  });

  it.each([
    ['7', 7000],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['soon', undefined],
  ])('reads Retry-After %s', (text, retryAfterMs) => {
    const verdict = judgeResponse({ status: 429, headers: { 'retry-after': text } }, first);
    expect('error' in verdict && verdict.error.details['retryAfterMs']).toBe(retryAfterMs);
  });

  it.each([
    ['a web page', { 'content-type': 'text/html; charset=utf-8' }],
    ['an XML error', { 'content-type': 'application/xml' }],
    ['a JSON error', { 'content-type': 'application/problem+json' }],
  ])('refuses %s in place of a picture', (_, headers) => {
    expect(judgeResponse({ status: 200, headers }, first)).toMatchObject({
      kind: 'refused',
      error: { code: 'transfer.wrong-content' },
    });
  });

  it.each([
    ['content-encoding', 'gzip'],
    ['content-encoding', 'aws-chunked'],
    ['transfer-encoding', 'gzip, chunked'],
  ])('refuses compressed data, which no checksum is of: %s %s', (name, coding) => {
    const answer = part('bytes 1000-4999/5000', { [name]: coding });
    expect(judgeResponse(answer, resumed)).toMatchObject({
      kind: 'refused',
      error: { code: 'transfer.encoded-response' },
    });
  });

  it('repeats no word of a server that names no coding', () => {
    const headers = { 'content-encoding': 'gzip, x-amz-signature=5ecret' };
    expect(JSON.stringify(judgeResponse(part('bytes 1000-4999/5000', headers), resumed))).not.toContain(
      '5ecret',
    );
  });

  it('knows by an empty range at the end that everything is there', () => {
    const whole = { ...resumed, partBytes: 5000, rangeStart: 5000 };
    expect(judgeResponse(part('bytes 5000-4999/5000'), whole)).toEqual({
      kind: 'complete',
      totalBytes: 5000,
    });
    expect(judgeResponse(part('bytes 5000-4999/5000'), resumed).kind).toBe('wrong-range');
  });

  it('asks again where there is nothing in place of a file', () => {
    const nothing = { status: 200, headers: { 'content-length': '0' } };
    expect(judgeResponse(nothing, first).kind).toBe('useless');
    expect(judgeResponse(nothing, { ...first, totalBytes: 0 })).toMatchObject({
      kind: 'write',
      totalBytes: 0,
    });
  });

  it.each([
    ['text/html', 'text/html', 'preview.html'],
    ['application/xml', 'application/xml', 'mtd.xml'],
    ['application/json', null, 'granule_metadata'],
    ['application/geo+json', 'application/geo+json', 'aoi.geojson'],
  ])('lets %s through where %s is expected', (contentType, mediaType, fileName) => {
    const expected = { ...first, file: { mediaType, fileName } };
    expect(judgeResponse({ status: 200, headers: { 'content-type': contentType } }, expected).kind).toBe(
      'write',
    );
  });
});
