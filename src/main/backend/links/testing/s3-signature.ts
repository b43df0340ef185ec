import { createHash, createHmac } from 'node:crypto';

/**
 * The signature that S3 computes of a signed link, from the request as it arrives (AWS, "Authenticating requests: query
 * parameters").
 */
export function signatureOf(
  url: URL,
  { secret, method = 'GET' }: { secret: string; method?: string },
): string {
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const pairs = url.search
    .slice(1)
    .split('&')
    .filter((pair) => !pair.startsWith('X-Amz-Signature='))
    .sort();
  const scope = decodeURIComponent(url.searchParams.get('X-Amz-Credential') ?? '')
    .split('/')
    .slice(1);
  const canonical = [method, url.pathname, pairs.join('&'), `host:${url.host}\n`, 'host', 'UNSIGNED-PAYLOAD'];
  const hashed = createHash('sha256').update(canonical.join('\n')).digest('hex');
  const text = ['AWS4-HMAC-SHA256', url.searchParams.get('X-Amz-Date'), scope.join('/'), hashed].join('\n');
  const key = scope.reduce<string | Buffer>((soFar, part) => hmac(soFar, part), `AWS4${secret}`);
  return hmac(key, text).toString('hex');
}

/** When a signed link begins to be valid, in milliseconds since 1970. */
export function signedAtMs(url: URL): number {
  const [, date = '', time = ''] = /^(\d{8})T(\d{6})Z$/.exec(url.searchParams.get('X-Amz-Date') ?? '') ?? [];
  const iso = `${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`;
  return Date.parse(iso);
}
