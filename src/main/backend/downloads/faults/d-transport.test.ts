import { describe, expect, it } from 'vitest';
import { defaultTransferLimits } from '#shared/settings/transfer-limits.ts';
import type { Fault } from '../testing/fault.ts';
import { makeBytes, poll } from '../testing/download-harness.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

const bytes = makeTiff(1_200_000);
const trial = useFaultTrial(bytes);
const cut: Fault = { cutAfterBytes: 700_000 };

describe('transport', () => {
  // Every length at which something could begin or end, and some at random but always the same.
  const edges = [0, 1, 65_535, 65_536, 65_537, 131_072, 1_048_576, bytes.length - 1];
  const random = [...makeBytes(8, 7)].map((value, index) => (value * 4_700 + index * 131) % bytes.length);
  const places = [...edges, ...random];

  it.each<[string, string, (at: number) => Fault]>([
    ['D1', 'a reset', (at) => ({ resetAfterBytes: at })],
    ['D2', 'an early end', (at) => ({ cutAfterBytes: at })],
  ])('%s goes on after %s at any byte', async (_, __, befall) => {
    const keys = trial.openMany(places.length);
    // A reset takes with it what lay unread in the socket.
    trial.bounds.wholes = 2 * places.length;
    const before = new Set<string>();
    trial.storage.script = (_index, { path }) => {
      if (before.has(path)) return undefined;
      before.add(path);
      return befall(places[keys.indexOf(path.slice(1, -4))] ?? 0);
    };
    const transfers = await trial.harness.finish(await trial.harness.start(keys));
    for (const transfer of transfers)
      expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
  });

  it('D1 goes on as often as something new came', async () => {
    trial.open();
    trial.bounds.requests = 20;
    trial.bounds.wholes = 3;
    expect((await trial.bring(...Array<Fault>(9).fill({ resetAfterBytes: 200_000 }))).state).toBe('done');
  });

  it.each(['chunks', 'closing'] as const)(
    'D3 finds an early end without a length (%s) by the size',
    async (by) => {
      trial.open();
      expect((await trial.bring({ lengthBy: by, mostBytes: 700_000 }, { ...cut, lengthBy: by })).state).toBe(
        'done',
      );
    },
  );

  it('D5 goes on over a new connection when the server ends the old one', async () => {
    trial.open();
    expect((await trial.bring({ ...cut, closesAfter: true }, { closesAfter: true })).state).toBe('done');
  });

  it('D6 gives up a connection that has fallen silent', async () => {
    const { downloads, time, until, start, finish } = trial.open();
    trial.storage.script = (index) => (index === 0 ? { stallAfterBytes: 100_000 } : undefined);
    const downloadId = await start(['B04']);
    await until(downloadId, ({ receivedBytes }) => receivedBytes === 100_000);
    time.advance(40_000);
    const { waiting } = await until(downloadId, ({ state }) => state === 'waiting');
    expect(waiting?.error.code).toBe('network.timeout');
    expect((await finish(downloadId))[0]?.state).toBe('done');
    expect(downloads.transfers()).toHaveLength(1);
  });

  it.each([1, 4])(
    'D7 gives up a drip over %i connections; the third time another way is taken',
    async (count) => {
      const limits = { ...defaultTransferLimits, connectionsPerFile: count };
      const { start, finish, time } = trial.open({}, { limits });
      trial.bounds.requests = 4 + 3 * count;
      trial.storage.script = () => ({ bytesPerSecond: 200 });
      const over = { is: false };
      const finished = finish(await start(['B04'])).finally(() => (over.is = true));
      await poll(() => {
        time.advance(1000);
        return over.is || undefined;
      });
      expect((await finished)[0]).toMatchObject({ state: 'done', linkKind: 'proxy' });
      expect(trial.storage.requests.length).toBeLessThanOrEqual(3 * count);
    },
  );

  it('D7 has more patience from then on, where there is no other way', async () => {
    const harness = trial.open();
    const { start, finish, until, time } = harness;
    trial.bounds.requests = 10;
    trial.storage.script = (index) => (index < 4 ? { stallAfterBytes: 1000 + index } : undefined);
    const downloadId = await start(['B04'], 'signed');
    // In steps shorter than the shortest wait, so that none is stepped over.
    const stepUntil = <Found>(look: () => Found | undefined) =>
      poll(() => {
        const found = look();
        if (found === undefined) time.advance(200);
        return found;
      });
    const silencesMs: number[] = [];
    for (const index of [0, 1, 2, 3]) {
      await until(downloadId, ({ receivedBytes }) => receivedBytes === 1000 + index);
      const startMs = time.timers.elapsedMs();
      await stepUntil(() => harness.downloads.transfers().find(({ state }) => state === 'waiting'));
      silencesMs.push(time.timers.elapsedMs() - startMs);
      await stepUntil(() => trial.storage.requests.length === index + 2 || undefined);
    }
    // While something is written, which it may be for two looks of ten seconds, nothing counts as silence.
    for (const silenceMs of silencesMs.slice(0, 3)) expect(silenceMs).toBeLessThan(65_000);
    expect(silencesMs[3]).toBeGreaterThan(145_000);
    expect((await finish(downloadId))[0]).toMatchObject({ state: 'done' });
  });

  it.each([64, 65_536])('D9 rolls back %i bytes of garbage before the cut', async (garbageBytes) => {
    trial.open();
    // Nobody knows where it began: 16 MiB are compared anew.
    trial.bounds.wholes = 3;
    const garbage = Buffer.alloc(garbageBytes, '<Error><Code>InternalError</Code></Error>');
    expect(await trial.bring({ ...cut, garbage })).toMatchObject({ state: 'done', verification: 'checksum' });
  });

  it('D11 tries again after five reset connections', async () => {
    trial.open();
    trial.storage.resetsConnection = (index) => index < 5;
    expect((await trial.bring()).state).toBe('done');
    expect(trial.storage.requests).toHaveLength(1);
  });

  const length = String(bytes.length);
  it.each<[string, Fault]>([
    ['two lengths', { rawHeaders: [['content-length', String(bytes.length - 7)]] }],
    ['a length that is none', { headers: { 'content-length': '12abc' } }],
    [
      'a length and chunks',
      {
        rawHeaders: [
          ['transfer-encoding', 'chunked'],
          ['content-length', length],
        ],
      },
    ],
    ['100 KB of headers', { headers: { 'x-much': 'x'.repeat(100_000) } }],
  ])('D13 rejects %s and tries again', async (_, fault) => {
    trial.open();
    trial.bounds.wholes = 2;
    expect(await trial.bring(fault)).toMatchObject({ state: 'done', verification: 'checksum' });
  });
});
