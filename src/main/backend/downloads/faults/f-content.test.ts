import { describe, expect, it } from 'vitest';
import type { Fault } from '../testing/fault.ts';
import { finalFiles } from '../testing/invariants.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

const bytes = makeTiff(600_000);
const trial = useFaultTrial(bytes);
const page = '<!doctype html><title>Sign in</title>';
const portal: Fault = { body: page, headers: { 'content-type': 'text/html' } };
const html = { 'content-type': 'text/html; charset=utf-8' };
const xml = { 'content-type': 'application/xml' };
const json = { 'content-type': 'application/json' };
const unnamed = { 'content-type': 'application/octet-stream' };
const errorXml = '<?xml version="1.0"?><Error><Code>InternalError</Code></Error>';
const picture = { 'content-type': 'image/tiff' };

async function befallAll(fault: Fault, changes = {}) {
  trial.open(changes);
  trial.bounds.requests = 12;
  trial.storage.script = () => fault;
  trial.mirror.script = () => fault;
  const downloadId = await trial.harness.start(['B04']);
  return trial.harness.until(downloadId, ({ state }) => state === 'failed' || state === 'waiting');
}

describe('wrong content', () => {
  it('F1 waits while the network shows its own page to everybody, and goes on after it', async () => {
    const { start, until, finish, time } = trial.open();
    trial.bounds.requests = 40;
    trial.storage.script = (index) => (index === 0 ? { cutAfterBytes: 400_000 } : portal);
    trial.mirror.script = () => portal;
    const downloadId = await start(['B04']);
    await until(downloadId, ({ state }) => state === 'waiting');
    trial.api.script = () => portal;
    time.advance(20_000);
    const { waiting } = await until(downloadId, ({ waiting: why }) => why?.error.code === 'network.sign-in');
    expect(waiting?.resumeAt).not.toBeNull();
    trial.api.script = () => undefined;
    trial.storage.script = () => undefined;
    expect((await finish(downloadId))[0]?.state).toBe('done');
  });

  it.each<[string, string, Fault]>([
    ['F2 says that it is a picture', 'network.sign-in', { body: page, headers: picture }],
    ['F2 has the right length', 'network.sign-in', { body: page.padEnd(bytes.length), headers: picture }],
    ['F4 is compressed', 'transfer.encoded-response', { encoding: 'gzip' }],
    ['F5 says in XML that it went wrong', 'transfer.wrong-content', { body: errorXml, headers: xml }],
    ['F5 says nothing of its XML', 'transfer.wrong-content', { body: errorXml, headers: unnamed }],
    [
      'F5 says in JSON that it went wrong',
      'transfer.wrong-content',
      { body: '{"error":"gone"}', headers: json },
    ],
    ['F5 has a word in place of the file', 'transfer.wrong-content', { body: 'Not found', headers: unnamed }],
    ['F6 is empty', 'http.unexpected-status', { body: '' }],
  ])('%s: it is never published', async (_, code, fault) => {
    trial.bounds.wholes = 4;
    const transfer = await befallAll(fault, { sizeBytes: null, checksum: null });
    expect(transfer.error?.code ?? transfer.waiting?.error.code).toBe(code);
    expect(finalFiles(trial.harness.destination)).toEqual([]);
  });

  it('F3 keeps the body of a refusal for no file', async () => {
    const refusal: Fault = { status: 403, body: Buffer.concat([Buffer.from('II*\0'), Buffer.alloc(5000)]) };
    const transfer = await befallAll(refusal, { sizeBytes: null, checksum: null });
    expect(transfer).toMatchObject({ state: 'failed', error: { code: 'link.refused' } });
    expect(finalFiles(trial.harness.destination)).toEqual([]);
  });

  it('F4 takes the other way when one compresses', async () => {
    trial.open();
    trial.bounds.requests = 8;
    trial.bounds.wholes = 3;
    trial.storage.script = () => ({ encoding: 'gzip' });
    const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', linkKind: 'proxy' });
  });

  it('F7 waits for a login where the link leads to one', async () => {
    trial.open();
    trial.bounds.requests = 12;
    const location = `${trial.mirror.origin}/oauth2/authorize?client_id=x`;
    trial.mirror.route = () => ({ body: page, headers: html });
    trial.storage.script = () => ({ status: 302, headers: { location } });
    const downloadId = await trial.harness.start(['B04'], 'signed');
    const transfer = await trial.harness.until(
      downloadId,
      ({ state }) => state === 'failed' || state === 'waiting',
    );
    expect(transfer).toMatchObject({ state: 'waiting', waiting: { error: { code: 'auth.required' } } });
  });
});
