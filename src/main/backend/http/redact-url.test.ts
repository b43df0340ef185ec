import { expect, it } from 'vitest';
import { redactUrl, secretsIn } from './redact-url.ts';

it.each([
  ['https://u:p@h.example/a/b?limit=10#frag', 'https://h.example/a/b?limit=10'],
  [
    'https://b.s3.amazonaws.com/k.tif?X-User-Id=aaaa&AWSAccessKeyId=AKIA&Signature=s%3D&Expires=1764674999',
    'https://b.s3.amazonaws.com/k.tif?X-User-Id=…&AWSAccessKeyId=…&Signature=…&Expires=1764674999',
  ],
  ['https://b.blob.example/k?se=2026-01-01&sig=abc', 'https://b.blob.example/k?se=2026-01-01&sig=…'],
  [
    'https://h.example/search?collections=a,b&token=next:abc',
    'https://h.example/search?collections=a,b&token=…',
  ],
  ['https://h.example/asset?asset_path=https%3A%2F%2Fx%3Fsig%3Dabc', 'https://h.example/asset?asset_path=…'],
  ['not a url with sig=abc', '(unreadable URL)'],
])('%s', (url, redacted) => {
  expect(redactUrl(url)).toBe(redacted);
});

it('knows what must not be said of a URL, as it is written and as it is read', () => {
  const url =
    'https://b.example/k.tif?sp=r&Expires=1764674999&X-Id=aaaaaaaa&Signature=c2lnbmF0%2B%3D#secret-part';
  expect(secretsIn(url)).toEqual(['aaaaaaaa', 'c2lnbmF0%2B%3D', 'c2lnbmF0+=']);
  expect(secretsIn('https://b.example/k.tif')).toEqual([]);
  expect(secretsIn('no url?sig=abcdefgh')).toEqual([]);
});
