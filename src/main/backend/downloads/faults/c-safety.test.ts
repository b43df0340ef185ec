import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expiredXml } from '../testing/fault-catalog.ts';
import { filesIn } from '../testing/files-in.ts';
import { finalFiles } from '../testing/invariants.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

const bytes = makeTiff(300_000);
const trial = useFaultTrial(bytes);

async function finish(links: 'auto' | 'proxy' = 'auto') {
  const [transfer] = await trial.harness.finish(await trial.harness.start(['B04'], links));
  return transfer;
}

// That no storage sees the token or a cookie is I2, which the trial asserts after every test.
describe('tokens and paths', () => {
  it('C1 leaves the token with the proxy when it redirects', async () => {
    trial.open();
    expect(await finish('proxy')).toMatchObject({ state: 'done', linkKind: 'proxy' });
    expect(trial.mirror.requests).toHaveLength(1);
  });

  it('C2 takes no token to another port of the same host', async () => {
    trial.open();
    trial.bounds.requests = 6;
    const target = `${trial.mirror.origin}/B04.tif`;
    trial.mirror.route = () => undefined;
    trial.storage.script = () => ({
      status: 302,
      headers: { location: target, 'set-cookie': 'a=b; Path=/' },
    });
    expect((await finish())?.state).toBe('done');
    expect(trial.mirror.requests[0]?.headers.cookie).toBeUndefined();
  });

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/x', 'data:text/plain,hello', '//[nowhere'])(
    'C8 follows no redirect to %s',
    async (location) => {
      trial.open();
      trial.bounds.requests = 8;
      trial.storage.script = () => ({ status: 302, headers: { location } });
      trial.mirror.script = () => ({ status: 302, headers: { location } });
      expect((await finish())?.state).toBe('failed');
      expect(finalFiles(trial.harness.destination)).toEqual([]);
    },
  );

  it('C6 writes no token and no signature down when everything is refused', async () => {
    trial.open();
    trial.bounds.requests = 9;
    trial.storage.script = (_, { target }) => ({ status: 403, body: `${expiredXml}<!-- ${target} -->` });
    trial.mirror.script = trial.storage.script;
    expect(await finish()).toMatchObject({ state: 'failed', error: { code: 'link.refused' } });
  });

  it('C6 writes no signature down that the storage repeats by itself', async () => {
    trial.open();
    trial.bounds.requests = 9;
    const repeat = (target: string) => new URL(target, 'http://x').searchParams.get('Signature') ?? '';
    trial.storage.script = (_, { target }) => ({
      status: 403,
      body: `<Error><Code>SignatureDoesNotMatch</Code><Message>not ${repeat(target)}</Message></Error>`,
    });
    trial.mirror.script = trial.storage.script;
    expect((await finish())?.state).toBe('failed');
  });

  it('C6 writes no link down that a storage repeats in its ETag', async () => {
    trial.open({ checksum: null });
    Object.assign(trial.bounds, { requests: 6, wholes: 2 });
    trial.storage.script = (index, { target }) => ({
      etag: `"${target}"`,
      ...(index === 0 ? { cutAfterBytes: 300_000 } : {}),
    });
    expect((await finish())?.state).toBe('done');
  });

  it('C6 writes nothing down of what a link’s redirect is signed with', async () => {
    trial.open({ checksum: null });
    Object.assign(trial.bounds, { requests: 16, wholes: 2 });
    const secret = 'cmVkaXJlY3RlZC1zZWNyZXQ';
    trial.mirror.route = () => undefined;
    trial.storage.script = (index) =>
      index < 2
        ? { status: 302, headers: { location: `${trial.mirror.origin}/B04.tif?Sig=${secret}` } }
        : undefined;
    trial.mirror.script = (index) =>
      index === 0
        ? { etag: `"${secret}"`, cutAfterBytes: 200_000 }
        : { status: 403, body: `<Error><Code>AccessDenied</Code><Message>not ${secret}</Message></Error>` };
    expect((await finish())?.state).toBe('done');
    expect(trial.mirror.requests.length).toBeGreaterThan(1);
    for (const path of filesIn(trial.harness.folder))
      expect(readFileSync(join(trial.harness.folder, path)).includes(secret), path).toBe(false);
  });

  it('C6 writes no token down when the catalog sends it back', async () => {
    trial.open();
    trial.bounds.requests = 9;
    trial.api.script = (_, { headers }) => ({
      status: 403,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Forbidden', detail: `not with ${headers.authorization}` }),
    });
    expect((await finish())?.state).toBe('failed');
  });

  it.each([
    '../../../../x.tif',
    '/etc/x.tif',
    'C:\\Windows\\x.tif',
    'a\u0000b.tif',
    'x\u202Efit.tif',
    '..\\..\\x.tif',
    'CON.tif',
  ])('C7 keeps %j inside the destination', async (name) => {
    const { start, finish: end } = trial.open({ members: { title: name, 'file:local_path': name } });
    trial.catalog.assets = {
      B04: {
        href: `${trial.storage.origin}/${encodeURIComponent(name)}`,
        sizeBytes: bytes.length,
        mediaType: 'image/tiff',
      },
    };
    trial.storage.script = () => ({
      headers: { 'content-disposition': `attachment; filename="${encodeURIComponent(name)}"` },
    });
    const [transfer] = await end(await start(['B04']));
    expect(transfer?.state).toBe('done');
    expect(transfer?.filePath?.startsWith(`${trial.harness.destination}/s2/`)).toBe(true);
    expect(finalFiles(trial.harness.folder).filter((path) => path.endsWith('.tif'))).toHaveLength(1);
  });

  it('C9 takes no token where the catalog redirects to', async () => {
    trial.open();
    trial.bounds.requests = 20;
    trial.api.script = () => ({ status: 302, headers: { location: `${trial.mirror.origin}/item` } });
    trial.mirror.route = () => ({ status: 404 });
    expect((await finish())?.state).toBe('failed');
    for (const { headers } of trial.mirror.requests) expect(headers.authorization).toBeUndefined();
  });
});
