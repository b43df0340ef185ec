import { describe, expect, it } from 'vitest';
import { isSignedUrl } from '#shared/stac/signed-url.ts';
import { readLinkExpiry } from './link-expiry.ts';

const policy = (json: object) =>
  Buffer.from(JSON.stringify(json))
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('=', '_')
    .replaceAll('/', '~');

const noon = '2026-01-01T12:00:00.000Z';
const noonSeconds = Date.parse(noon) / 1000;

describe('a signed link', () => {
  it.each([
    ['S3 SigV2', `AWSAccessKeyId=AK&Signature=s%3D&x-amz-security-token=t&Expires=${noonSeconds}`, noon],
    ['S3 SigV2 in other case', `awsaccesskeyid=AK&SIGNATURE=s&expires=${noonSeconds}`, noon],
    ['S3 SigV4', 'X-Amz-Date=20260101T110000Z&X-Amz-Expires=3600&X-Amz-Signature=s', noon],
    ['S3 SigV4 in lower case', 'x-amz-date=20260101T110000Z&x-amz-expires=3600&x-amz-signature=s', noon],
    [
      'S3 SigV4 that claims too long',
      'X-Amz-Date=20260101T110000Z&X-Amz-Expires=604801&X-Amz-Signature=s',
      null,
    ],
    ['S3 SigV4 with an unreadable date', 'X-Amz-Date=yesterday&X-Amz-Expires=3600&X-Amz-Signature=s', null],
    ['S3 SigV4 on 31 February', 'X-Amz-Date=20260299T110000Z&X-Amz-Expires=3600&X-Amz-Signature=s', null],
    ['Azure, seconds', 'sv=2020&se=2026-01-01T12%3A00%3A00Z&sig=s', noon],
    ['Azure, minutes', 'sv=2020&se=2026-01-01T12:00Z&sig=s', noon],
    ['Azure, date', 'sv=2020&se=2026-01-02&sig=s', '2026-01-02T00:00:00.000Z'],
    ['Azure, delegated key ends earlier', `sig=s&se=2026-01-05T00:00:00Z&skoid=x&ske=${noon}`, noon],
    ['Azure, delegated key ends later', `sig=s&se=${noon}&skoid=x&ske=2026-01-05T00:00:00Z`, noon],
    ['Azure, unreadable end', 'sv=2020&se=soon&sig=s', null],
    ['GCS V4', 'X-Goog-Date=20260101T110000Z&X-Goog-Expires=3600&X-Goog-Signature=s', noon],
    ['GCS V2', `GoogleAccessId=a&Expires=${noonSeconds}&Signature=s`, noon],
    ['CloudFront', `Key-Pair-Id=K&Expires=${noonSeconds}&Signature=s`, noon],
    [
      'CloudFront with a policy',
      `Key-Pair-Id=K&Signature=s&Policy=${policy({
        Statement: [
          {
            Resource: 'https://x/*?~~~',
            Condition: {
              DateGreaterThan: { 'AWS:EpochTime': 5 },
              DateLessThan: { 'AWS:EpochTime': noonSeconds },
            },
          },
        ],
      })}`,
      noon,
    ],
    ['CloudFront with an unreadable policy', 'Key-Pair-Id=K&Signature=s&Policy=_____', null],
    ['a number that is no time', 'Signature=s&Expires=99999999999999999999', null],
    ['a negative number', 'Signature=s&Expires=-5', null],
  ])('%s', (_name, query, expiry) => {
    const url = `https://storage.example/key.tif?${query}`;
    const expiresAtMs = readLinkExpiry(url);
    expect(expiresAtMs === null ? null : new Date(expiresAtMs).toISOString()).toBe(expiry);
    expect(isSignedUrl(url)).toBe(true);
  });
});

describe('a link without signature', () => {
  it.each([
    'https://sentinel-cogs.s3.us-west-2.amazonaws.com/B02.tif',
    'https://h.example/k?Expires=1764674999',
    'https://h.example/k?se=2026-01-01',
    'https://h.example/k?v=2#Signature=s&Expires=1764674999',
    'no url',
  ])('%s', (url) => {
    expect(readLinkExpiry(url)).toBeNull();
    expect(isSignedUrl(url)).toBe(false);
  });
});
