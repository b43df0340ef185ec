import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Asset } from '#shared/stac/asset.ts';
import { assetsOf } from '#shared/stac/asset.ts';
import type { StacItem } from '#shared/stac/item.ts';
import { failureOf } from '../../http/testing/failure-of.ts';
import { readLinkExpiry } from '../link-expiry.ts';
import { signatureOf } from '../testing/s3-signature.ts';
import { readBucketPlace } from './bucket-place.ts';
import { createS3Signer } from './s3-signer.ts';
import { createUserCredentials, type AwsKeys } from './user-credentials.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const clock = { now: () => nowMs };
const keys: AwsKeys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG' };

function signerOf({ env = {}, found = keys }: { env?: Record<string, string>; found?: AwsKeys } = {}) {
  const credentials = createUserCredentials({ clock, find: () => Promise.resolve(found) });
  return createS3Signer({ credentials, env });
}

const object = {
  bucket: 'scenes',
  key: 'a b/ü+(1).tif',
  region: 'eu-central-1',
  isRequesterPays: false,
  access: 'credentials' as const,
  nowMs,
};

describe('a link by the user’s own credentials', () => {
  it('has the signature that the storage computes, and one hour to live', async () => {
    // The check itself, against the example in AWS's documentation.
    const example = new URL(
      'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host',
    );
    expect(signatureOf(example, { secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' })).toBe(
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    );
    const link = await signerOf().sign(object);
    const url = new URL(link);
    expect(url.host).toBe('scenes.s3.eu-central-1.amazonaws.com');
    expect(url.pathname).toBe('/a%20b/%C3%BC%2B%281%29.tif');
    expect(url.searchParams.get('X-Amz-Signature')).toBe(signatureOf(url, { secret: keys.secretAccessKey }));
    expect(readLinkExpiry(link)).toBe(nowMs + 3_600_000);
    expect(link).not.toContain(keys.secretAccessKey);
    expect(link).not.toContain('x-amz-request-payer');
  });

  it('offers to pay only where that is allowed, and says so where it would have to', async () => {
    const signer = signerOf();
    const link = await signer.sign({ ...object, isRequesterPays: true, access: 'requester-pays' });
    expect(new URL(link).searchParams.get('x-amz-request-payer')).toBe('requester');
    const url = new URL(link);
    expect(url.searchParams.get('X-Amz-Signature')).toBe(signatureOf(url, { secret: keys.secretAccessKey }));
    const error = await failureOf(signer.sign({ ...object, isRequesterPays: true }));
    expect(error).toMatchObject({ code: 'link.credentials' });
    expect(error.details['reason']).toContain('pays');
  });

  it('names the session of temporary credentials', async () => {
    const link = await signerOf({ found: { ...keys, sessionToken: 'to/ken==' } }).sign(object);
    const url = new URL(link);
    expect(url.searchParams.get('X-Amz-Security-Token')).toBe('to/ken==');
    expect(url.searchParams.get('X-Amz-Signature')).toBe(signatureOf(url, { secret: keys.secretAccessKey }));
  });

  it.each([
    [{}, { region: null }, 'https://scenes.s3.us-east-1.amazonaws.com/'],
    [{ AWS_REGION: 'us-west-2' }, { region: null }, 'https://scenes.s3.us-west-2.amazonaws.com/'],
    [{ AWS_REGION: 'us-west-2' }, {}, 'https://scenes.s3.eu-central-1.amazonaws.com/'],
    [{}, { bucket: 'with.dots' }, 'https://s3.eu-central-1.amazonaws.com/with.dots/'],
    [{}, { region: 'cn-north-1' }, 'https://scenes.s3.cn-north-1.amazonaws.com.cn/'],
    [{ AWS_ENDPOINT_URL: 'https://store.example/x/' }, {}, 'https://store.example/x/scenes/'],
    [{ AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9000' }, {}, 'http://127.0.0.1:9000/scenes/'],
  ])('with %o for %o leads to %s', async (env, changes, start) => {
    expect((await signerOf({ env }).sign({ ...object, ...changes })).startsWith(start)).toBe(true);
  });

  it('leads to no endpoint that anybody could listen to', async () => {
    const signer = signerOf({ env: { AWS_ENDPOINT_URL: 'http://store.example' } });
    expect((await failureOf(signer.sign(object))).code).toBe('link.credentials');
  });
});

describe('the user’s credentials', () => {
  const folders: string[] = [];
  afterEach(() => {
    vi.unstubAllEnvs();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  function inHome(files: { config?: string; credentials?: string }, env: Record<string, string> = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'swath-aws-'));
    folders.push(folder);
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
    for (const name of ['config', 'credentials'] as const)
      writeFileSync(join(folder, name), files[name] ?? '');
    vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'credentials'));
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    return createUserCredentials({ clock });
  }

  const inFile =
    '[default]\naws_access_key_id = FILE\naws_secret_access_key = s1\n[work]\naws_access_key_id = WORK\naws_secret_access_key = s2\n';

  it('come from the environment first, then from the profile', async () => {
    const environment = { AWS_ACCESS_KEY_ID: 'ENV', AWS_SECRET_ACCESS_KEY: 's0' };
    expect((await inHome({ credentials: inFile }, environment).get()).accessKeyId).toBe('ENV');
    expect((await inHome({ credentials: inFile }).get()).accessKeyId).toBe('FILE');
    expect((await inHome({ credentials: inFile }, { AWS_PROFILE: 'work' }).get()).accessKeyId).toBe('WORK');
  });

  it('may come from a program that the profile names', async () => {
    const said = JSON.stringify({ Version: 1, AccessKeyId: 'PROGRAM', SecretAccessKey: 's' });
    const config = `[default]\ncredential_process = echo '${said}'\n`;
    expect((await inHome({ config }).get()).accessKeyId).toBe('PROGRAM');
  });

  it('that are not there are said so, without asking any metadata service, and without quoting files', async () => {
    const startedMs = performance.now();
    const error = await failureOf(inHome({}).get());
    expect(error).toMatchObject({ code: 'link.credentials' });
    expect(JSON.stringify(error.toData())).not.toMatch(/swath-aws|default/);
    expect(performance.now() - startedMs).toBeLessThan(1500);
  });

  it('of a login that is over say how to log in again', async () => {
    const config =
      '[default]\nsso_start_url = https://x.example\nsso_account_id = 1\nsso_region = eu-west-1\nsso_role_name = r\n';
    const error = await failureOf(inHome({ config }).get());
    expect(error.details['reason']).toContain('aws sso login');
  });

  it('are looked for once for many files, and again before they end', async () => {
    let timeMs = nowMs;
    let count = 0;
    const credentials = createUserCredentials({
      clock: { now: () => timeMs },
      find: () => {
        count += 1;
        return Promise.resolve({ ...keys, expiration: new Date(timeMs + 3_600_000) });
      },
    });
    await Promise.all([credentials.get(), credentials.get()]);
    timeMs += 54 * 60_000;
    await credentials.get();
    expect(count).toBe(1);
    timeMs += 2 * 60_000;
    await credentials.get();
    expect(count).toBe(2);
  });
});

describe('where an object is', () => {
  function placeOf(asset: object, properties: object = {}) {
    const item = { type: 'Feature', id: 'i', properties, assets: { a: asset } } as unknown as StacItem;
    const [found] = assetsOf(item);
    return readBucketPlace(found as Asset, item);
  }

  it.each([
    [
      { href: 's3://b-1.x/k/f.tif' },
      {},
      { bucket: 'b-1.x', key: 'k/f.tif', region: null, isRequesterPays: false },
    ],
    [
      { href: 's3://bucket/f', 'storage:region': 'us-west-2', 'storage:requester_pays': true },
      {},
      { region: 'us-west-2', isRequesterPays: true },
    ],
    [{ href: 's3://bucket/f' }, { 'storage:region': 'eu-west-1' }, { region: 'eu-west-1' }],
    [
      { href: 's3://bucket/f', 'storage:refs': ['main'] },
      { 'storage:schemes': { main: { type: 'aws-s3', region: 'us-gov-west-1', requester_pays: true } } },
      { region: 'us-gov-west-1', isRequesterPays: true },
    ],
    [{ href: 's3://bucket/f', 'storage:region': 'x.evil/' }, {}, { region: null }],
  ])('%o', (asset, properties, place) => {
    expect(placeOf(asset, properties)).toMatchObject(place);
  });

  it.each([
    's3://bucket/folder/',
    's3://bucket',
    's3://B@evil/f',
    'https://b.example/f',
    's3://bucket/f?x=1',
  ])('%s is no object', (href) => {
    expect(placeOf({ href })).toBeNull();
  });
});
