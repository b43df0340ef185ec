import { isLoopback } from '#shared/connection/is-loopback.ts';
import { AppError } from '#shared/errors/app-error.ts';

/** The parts of an object's address; `path` is encoded. */
export interface S3Address {
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
}

/**
 * Where an object is asked for: at AWS, or at the endpoint that `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL` names.
 * @throws AppError `link.credentials` for an endpoint that can't be used
 */
export function s3EndpointOf(
  { bucket, key, region }: { bucket: string; key: string; region: string },
  env: Readonly<Record<string, string | undefined>>,
): S3Address {
  const objectPath = key.split('/').map(encodeSegment).join('/');
  const own = env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'];
  if (own) return atOwnEndpoint(own, `/${bucket}/${objectPath}`);
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const host = `s3.${region}.${suffix}`;
  // No certificate covers a bucket's name with dots in it.
  return bucket.includes('.')
    ? { protocol: 'https:', hostname: host, path: `/${bucket}/${objectPath}` }
    : { protocol: 'https:', hostname: `${bucket}.${host}`, path: `/${objectPath}` };
}

function atOwnEndpoint(endpoint: string, path: string): S3Address {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === null || !isSafe) {
    throw new AppError('link.credentials', 'The endpoint that the environment names is no https address', {
      details: { reason: 'AWS_ENDPOINT_URL is not an https address.' },
    });
  }
  const { protocol, hostname, port, pathname } = url;
  const prefix = pathname.replace(/\/$/, '');
  return { protocol, hostname, path: `${prefix}${path}`, ...(port === '' ? {} : { port: Number(port) }) };
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
