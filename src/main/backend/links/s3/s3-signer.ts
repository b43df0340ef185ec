import { createHash, createHmac } from 'node:crypto';
import { AppError } from '#shared/errors/app-error.ts';
import type { S3Access } from '#shared/connection/s3-access.ts';
import type { BucketPlace } from './bucket-place.ts';
import { s3EndpointOf } from './s3-endpoint.ts';
import type { UserCredentials } from './user-credentials.ts';

/** An object to be fetched by the user's own account. */
export interface ObjectToSign extends BucketPlace {
  access: Exclude<S3Access, 'off'>;
  /** The storage's time, by which it judges. */
  nowMs: number;
  signal?: AbortSignal | undefined;
}

/** Signs links to objects in S3 with the user's own AWS credentials. */
export interface S3Signer {
  /**
   * A link that is valid for an hour. Nothing is asked of the network, unless the credentials have to be fetched.
   * @throws AppError `link.credentials`, `network.offline`, `cancelled`
   */
  sign(object: ObjectToSign): Promise<string>;
}

const lifeSeconds = 3600;

/** A signer. `env` has the region and an endpoint of its own, by the names that AWS gave them. */
export function createS3Signer(options: {
  credentials: UserCredentials;
  env: Readonly<Record<string, string | undefined>>;
}): S3Signer {
  const { credentials, env } = options;
  return {
    async sign(object) {
      const { access, isRequesterPays, nowMs, signal } = object;
      if (isRequesterPays && access !== 'requester-pays') {
        throw new AppError('link.credentials', 'Whoever fetches the file pays for it', {
          details: { reason: 'Whoever fetches this file pays for it. Allow that for this catalog first.' },
        });
      }
      const region = object.region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? 'us-east-1';
      const { protocol, hostname, port, path } = s3EndpointOf({ ...object, region }, env);
      // Only who uses it pays for its loading.
      const { SignatureV4 } = await import('@smithy/signature-v4');
      const signer = new SignatureV4({
        service: 's3',
        region,
        credentials: await credentials.get(signal),
        sha256: Sha256,
        uriEscapePath: false,
        applyChecksum: false,
      });
      const host = port === undefined ? hostname : `${hostname}:${port}`;
      const signed = await signer.presign(
        {
          method: 'GET',
          protocol,
          hostname,
          path,
          headers: { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
          query: access === 'requester-pays' ? { 'x-amz-request-payer': 'requester' } : {},
          ...(port === undefined ? {} : { port }),
        },
        { expiresIn: lifeSeconds, signingDate: new Date(nowMs) },
      );
      return `${protocol}//${host}${path}?${toQuery(signed.query ?? {})}`;
    },
  };
}

// The order of a query doesn't matter for its signature; its spelling does.
function toQuery(query: Record<string, string | string[] | null>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
    .join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

type HashSource = Parameters<SignerHash['update']>[0];

interface SignerHash {
  update(chunk: string | ArrayBuffer | ArrayBufferView): void;
  digest(): Promise<Uint8Array>;
  reset(): void;
}

class Sha256 implements SignerHash {
  readonly #secret: HashSource | undefined;
  #hash: ReturnType<typeof createHmac> | ReturnType<typeof createHash>;

  constructor(secret?: HashSource) {
    this.#secret = secret;
    this.#hash = this.#create();
  }

  update(chunk: HashSource): void {
    this.#hash.update(toBytes(chunk));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    this.#hash = this.#create();
  }

  #create() {
    return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(this.#secret));
  }
}

function toBytes(source: HashSource): Buffer {
  if (typeof source === 'string') return Buffer.from(source);
  return ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source);
}
