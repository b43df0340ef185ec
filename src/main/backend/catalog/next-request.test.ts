import { describe, expect, it } from 'vitest';
import { isAppError } from '#shared/errors/app-error.ts';
import { nextRequest, requestKey, type PageRequest } from './next-request.ts';

const first: PageRequest = { url: 'https://api.example/v1/search', method: 'POST', headers: {}, json: {} };

function nextUrl(href: string, answerUrl = first.url): string | undefined {
  return nextRequest([{ rel: 'next', href }], { first, previous: first, answerUrl })?.url;
}

describe('a next link below https', () => {
  it('that says http to its own host is taken as https, the rest byte for byte', () => {
    expect(nextUrl("http://api.example/v1/search?token=a=='")).toBe(
      "https://api.example/v1/search?token=a=='",
    );
  });

  it.each(['http://other.example/search', 'http://api.example:8080/search'])('to %s is refused', (href) => {
    expect(() => nextUrl(href)).toThrow(
      expect.toSatisfy((error) => isAppError(error, 'link.insecure-redirect')),
    );
  });

  it('to another https host is followed', () => {
    expect(nextUrl('https://other.example/search?t=1')).toBe('https://other.example/search?t=1');
  });

  it('without scheme or with a path alone is resolved against the page', () => {
    expect(nextUrl('//api.example/x')).toBe('https://api.example/x');
    expect(nextUrl('/x?t=1')).toBe('https://api.example/x?t=1');
  });
});

it('requests differ by method, address and body, not by the order of members', () => {
  const request = (json: PageRequest['json']) => requestKey({ ...first, ...(json ? { json } : {}) });
  expect(request({ a: 1, b: { c: 1, d: [2, 3] } })).toBe(request({ b: { d: [2, 3], c: 1 }, a: 1 }));
  expect(request({ a: 1 })).not.toBe(request({ a: 2 }));
  expect(request({ a: [1, 2] })).not.toBe(request({ a: [2, 1] }));
  expect(requestKey({ ...first, method: 'GET' })).not.toBe(requestKey(first));
});
