import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readRefusal, toRefusal } from './read-refusal.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const time = { clock: { now: () => nowMs }, timers: { after: () => () => undefined } };
const xml = (code: string, message: string, more = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message>${more}</Error>`;

function refuse(status: number, body: string, headers: Record<string, string> = {}) {
  return toRefusal({ status, headers, body: Buffer.from(body) }, nowMs);
}

describe('why a storage refuses', () => {
  it.each([
    ['S3, an old link', 403, xml('AccessDenied', 'Request has expired'), 'expired'],
    ['S3, old session', 400, xml('ExpiredToken', 'The provided token has expired.'), 'expired'],
    [
      'Azure, an old link',
      403,
      xml(
        'AuthenticationFailed',
        'Server failed to authenticate the request.',
        '<AuthenticationErrorDetail>Signature not valid in the specified time frame: Start [a] - Expiry [b]</AuthenticationErrorDetail>',
      ),
      'expired',
    ],
    ['Azure, another key', 403, xml('AuthenticationFailed', 'Signature did not match'), 'credentials'],
    ['GCS, an old link', 400, xml('ExpiredToken', 'Invalid argument.'), 'expired'],
    ['revoked session', 403, xml('InvalidToken', 'The provided token is malformed'), 'credentials'],
    ['another key', 403, xml('SignatureDoesNotMatch', 'The request signature …'), 'credentials'],
    ['no such key', 403, xml('InvalidAccessKeyId', 'The key does not exist'), 'credentials'],
    ['a wrong clock', 403, xml('RequestTimeTooSkewed', 'The difference …'), 'skewed'],
    ['two permissions', 400, xml('InvalidArgument', 'Only one auth mechanism allowed'), 'own-mistake'],
    ['elsewhere', 301, xml('PermanentRedirect', 'Use the endpoint'), 'region'],
    ['another region', 400, xml('AuthorizationHeaderMalformed', 'the region is wrong'), 'region'],
    ['no words', 403, '', 'forbidden'],
    ['a page', 403, '<html><title>Forbidden</title></html>', 'forbidden'],
    ['401', 401, '{"message":"no"}', 'forbidden'],
    ['AccessDenied', 403, xml('AccessDenied', 'Access Denied'), 'forbidden'],
  ])('%s', (_name, status, body, refusal) => {
    expect(refuse(status, body)).toMatchObject({ code: 'link.refused', details: { status, refusal } });
  });

  it.each([
    [404, xml('NoSuchKey', 'The specified key does not exist.')],
    [404, ''],
    [410, 'gone'],
  ])('%i is a file that was removed', (status, body) => {
    expect(refuse(status, body)).toMatchObject({ code: 'link.gone', details: { refusal: 'gone' } });
  });

  it.each([
    ['as it was read', 'c2ln/bmF0+dXJl='],
    ['as it was written', 'c2ln%2FbmF0%2BdXJl%3D'],
    ['between entities', '&quot;c2ln/bmF0+dXJl=&quot;'],
    ['where a sentence is cut', `${'x'.repeat(292)} c2ln/bmF0+dXJl=`],
  ])('says nothing of the signature that the storage repeats %s', (_name, said) => {
    const url = 'https://b.example/f?sp=r&X-Amz-Date=20260301T110000Z&Signature=c2ln%2FbmF0%2BdXJl%3D';
    const body = Buffer.from(xml('c2ln/bmF0+dXJl=', `Wrong at 20260301T110000Z: ${said}`));
    const error = toRefusal({ status: 403, headers: {}, body, urls: [url] }, nowMs);
    expect(JSON.stringify(error.toData())).not.toMatch(/c2ln|bmF0/);
    expect(error.details['reason']).toMatch(/^Wrong at 20260301T110000Z: /);
  });

  it('says by how much the clock is off', () => {
    const date = new Date(nowMs - 17 * 60_000).toUTCString();
    expect(refuse(403, xml('RequestTimeTooSkewed', 'x'), { date }).details).toMatchObject({
      clockAheadMinutes: 17,
    });
    expect(refuse(403, '', { date: new Date(nowMs).toUTCString() }).details).not.toHaveProperty(
      'clockAheadMinutes',
    );
  });

  it('knows the region of a bucket from the header or the body, and nothing that is no region', () => {
    const malformed = xml('AuthorizationHeaderMalformed', 'x', '<Region>eu-central-1</Region>');
    expect(refuse(400, malformed).details['bucketRegion']).toBe('eu-central-1');
    expect(refuse(301, '', { 'x-amz-bucket-region': 'us-west-2' }).details['bucketRegion']).toBe('us-west-2');
    expect(refuse(301, '', { 'x-amz-bucket-region': 'evil.example/' }).details).not.toHaveProperty(
      'bucketRegion',
    );
  });

  it('repeats nothing that could let anybody in', () => {
    const body = xml(
      'SignatureDoesNotMatch',
      'no: https://b.s3.amazonaws.com/k?X-Amz-Signature=abcdef&amp;AWSAccessKeyId=AKIA1',
      '<StringToSign>GET secret</StringToSign><SignatureProvided>abcdef</SignatureProvided>',
    );
    expect(JSON.stringify(refuse(403, body).toData())).not.toMatch(/abcdef|AKIA1|secret/);
  });

  it('takes no more than it needs of a body that never ends', async () => {
    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(65_536, 'x'));
      },
    });
    const error = await readRefusal({ status: 403, headers: {}, body: endless }, time);
    expect(error.details).toMatchObject({ refusal: 'forbidden' });
    expect(endless.destroyed).toBe(true);
  });
});
