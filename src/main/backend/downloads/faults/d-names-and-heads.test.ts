import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBlackHole } from '../testing/black-hole.ts';
import type { Fault } from '../testing/fault.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';
import { createOddNetwork, lookUpBy } from '../testing/odd-network.ts';

const bytes = makeTiff(300_000);
const trial = useFaultTrial(bytes);
const portOf = (origin: string) => Number(new URL(origin).port);
const name = 'storage.test';

/** Has the storage found by a name. */
function findStorage(find: () => readonly string[] | null): void {
  trial.network = createOddNetwork({ lookup: lookUpBy((wanted) => (wanted === name ? find() : null)) });
  trial.storage.origin = trial.storage.origin.replace('127.0.0.1', name);
}

describe('the head of an answer', () => {
  it('D10 is not waited for without end, whatever comes in place of it', async () => {
    trial.network = createOddNetwork({ headMs: 1500 });
    const faults: Fault[] = [
      { isSilent: true },
      { raw: ['HTTP/1.1 200 OK\r\n', 'x-more: 1\r\n'] },
      { raw: ['HTTP/1.1 103 Early Hints\r\n\r\n'] },
    ];
    const keys = trial.openMany(faults.length);
    const before = new Set<string>();
    trial.storage.script = (_index, { path }) => {
      if (before.has(path)) return undefined;
      before.add(path);
      return faults[keys.indexOf(path.slice(1, -4))];
    };
    const transfers = await trial.harness.finish(await trial.harness.start(keys));
    expect(transfers.map(({ state }) => state)).toEqual(faults.map(() => 'done'));
    const events = transfers.map(({ transferId }) => trial.harness.downloads.details(transferId).events);
    for (const told of events) expect(JSON.stringify(told)).toContain('network.timeout');
  });
});

describe('the name of a server', () => {
  it('D12 leads past an address that swallows connections, in a few seconds', async () => {
    const hasSix = Object.values(networkInterfaces())
      .flat()
      .some((one) => one?.address === '::1');
    const hole = hasSix ? '::1' : '127.0.0.2';
    onTestFinished(await openBlackHole(hole, portOf(trial.storage.origin)));
    findStorage(() => [hole, '127.0.0.1']);
    trial.open();
    const startMs = performance.now();
    expect(await trial.bring()).toMatchObject({ state: 'done', linkKind: 'signed' });
    // A connection that nobody answers is given up after 15 s.
    expect(performance.now() - startMs).toBeLessThan(12_000);
    expect(trial.storage.requests).toHaveLength(1);
  });

  it('that is found later is waited for', async () => {
    let isKnown = false;
    findStorage(() => (isKnown ? ['127.0.0.1'] : null));
    const { start, until, finish } = trial.open();
    const downloadId = await start(['B04'], 'signed');
    const { waiting } = await until(downloadId, ({ state }) => state === 'waiting');
    expect(waiting?.error).toMatchObject({ code: 'network.offline', details: { reason: 'ENOTFOUND' } });
    isKnown = true;
    expect((await finish(downloadId))[0]).toMatchObject({ state: 'done', verification: 'checksum' });
  });

  it('that nobody knows any more in the middle of a file gives way to the proxy', async () => {
    let lookups = 0;
    findStorage(() => ((lookups += 1) === 1 ? ['127.0.0.1'] : null));
    trial.open();
    expect(await trial.bring({ cutAfterBytes: 200_000 })).toMatchObject({ state: 'done', linkKind: 'proxy' });
    expect(trial.ranges(trial.mirror)).toEqual([`bytes=${200_000 - 65_536}-`]);
    trial.bounds.requests = 8;
  });
});
