import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Transfer } from '#shared/transfer/transfer.ts';
import type { Fault } from '../testing/fault.ts';
import { poll } from '../testing/download-harness.ts';
import { expiredXml } from '../testing/fault-catalog.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

const bytes = makeTiff(300_000);
const trial = useFaultTrial(bytes);
const hourMs = 3_600_000;
// Nothing listens there.
const deadHref = 'http://127.0.0.1:1/B04.tif';

const answers: [string, Fault, string][] = [
  ['no such file', { status: 404 }, 'link.gone'],
  ['a file of another size', { file: makeTiff(200_000) }, 'transfer.size-mismatch'],
  ['compressed data', { headers: { 'content-encoding': 'gzip' } }, 'transfer.encoded-response'],
  ['redirects without end', { status: 302, headers: { location: '/again' } }, 'http.unexpected-status'],
];

describe('a public address where nobody is', () => {
  let rude: Server | null = null;

  afterEach(() => {
    rude?.close();
    rude = null;
  });

  async function failsAs(code: string): Promise<void> {
    trial.bounds.requests = 100;
    trial.bounds.wholes = 20;
    const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'failed', error: { code } });
  }

  it.each(answers)('does not hide that all other ways lead to %s', async (_what, answer, code) => {
    trial.open({ members: { href: deadHref } });
    trial.storage.script = () => answer;
    trial.mirror.script = () => answer;
    await failsAs(code);
  });

  it('does not hide it for long either, where somebody is who hangs up', async () => {
    const href = await hangUp();
    trial.open({ members: { href } });
    trial.storage.script = () => ({ status: 404 });
    trial.mirror.script = () => ({ status: 404 });
    await failsAs('link.gone');
    const [transfer] = trial.harness.downloads.transfers();
    expect(trial.harness.downloads.details(transfer?.transferId ?? 0).attempts).toBe(1);
  });

  it('does not hide that the proxy knows of no such file', async () => {
    const href = `${trial.api.origin}/v1/asset?asset_path=s3://bucket/B04.tif`;
    trial.open({ members: { href: deadHref, alternate: { proxy: { href } } } });
    trial.api.script = (_, { path }) => (path === '/v1/asset' ? { status: 404 } : undefined);
    await failsAs('stac.asset-not-found');
  });

  it('is given up after a day where it is the only way and the catalog can be reached', async () => {
    trial.open({ members: { href: deadHref, alternate: {} } });
    trial.bounds.requests = 100;
    const { transferId } = await untilFailed(await trial.harness.start(['B04']));
    expect(trial.harness.downloads.details(transferId).attempts).toBeGreaterThan(8);
    expect(trial.harness.downloads.transfers()[0]?.error).toMatchObject({
      code: 'transfer.no-progress',
      retryable: true,
      details: { lastCode: 'network.offline', host: '127.0.0.1:1' },
    });
  });

  it('is told apart from a network that is away', async () => {
    trial.open({ members: { href: deadHref, alternate: {} } });
    const downloadId = await trial.harness.start(['B04']);
    const isKnown = ({ waiting }: Transfer) => waiting?.error.details['isServerAway'] === true;
    expect((await trial.harness.until(downloadId, isKnown)).waiting?.error.code).toBe('network.offline');
  });

  it('costs no patience while the catalog can not be reached either', async () => {
    let isThere = false;
    trial.open({ members: { href: deadHref, alternate: {} } }, { probe: () => Promise.resolve(isThere) });
    trial.bounds.requests = 100;
    const downloadId = await trial.harness.start(['B04']);
    const { transferId, waiting } = await trial.harness.until(downloadId, ({ state }) => state === 'waiting');
    expect(waiting?.error.details['isServerAway']).toBeUndefined();
    await poll(() => (trial.harness.downloads.status().hold === null ? undefined : true));
    for (let hour = 0; hour < 72; hour += 1) {
      trial.harness.time.advance(hourMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(trial.harness.downloads.transfer(transferId).state).not.toBe('failed');
    expect(trial.harness.downloads.details(transferId).attempts).toBe(0);
    isThere = true;
    await untilFailed(downloadId);
  });

  it('of a storage is waited for, though its link before was refused for its age', async () => {
    trial.open();
    trial.storage.script = () => {
      trial.catalog.storage = { ...trial.storage, origin: new URL(deadHref).origin };
      return { status: 403, body: expiredXml };
    };
    const downloadId = await trial.harness.start(['B04'], 'signed');
    const { waiting } = await trial.harness.until(downloadId, ({ state }) => state === 'waiting');
    expect(waiting?.error.code).toBe('network.offline');
  });

  function untilFailed(downloadId: number) {
    return trial.harness.until(downloadId, ({ state }) => {
      if (state !== 'failed') trial.harness.time.advance(10 * 60_000);
      return state === 'failed';
    });
  }

  async function hangUp(): Promise<string> {
    const server = createServer((socket) => socket.destroy());
    rude = server;
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/B04.tif`;
  }
});
