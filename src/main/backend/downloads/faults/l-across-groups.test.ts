import { describe, expect, it } from 'vitest';
import { createRandom } from '#shared/testing/seeded-random.ts';
import type { Fault, SeenRequest } from '../testing/fault.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';
import { createManualSystem } from '../testing/manual-system.ts';
import { createOddNetwork } from '../testing/odd-network.ts';
import { randomFault } from '../testing/random-fault.ts';
import { createSmallVolume, createSmallVolumes, type SmallVolume } from '../testing/small-volumes.ts';

// `SWATH_SEED` for others than these.
const seed = Number(process.env['SWATH_SEED'] ?? 1);
const random = createRandom(seed);
const fileCount = 24;
const rounds = 12;
const hourMs = 3_600_000;
const roomBytes = 1024 ** 3;

const upTo = (most: number) => Math.floor(random() * most);
const oneOf = <Value>(...values: Value[]): Value => values[upTo(values.length)] as Value;

describe('three faults of different kinds at once', () => {
  const bytes = makeTiff(300_000);
  const trial = useFaultTrial(bytes);
  const volume = createSmallVolume({ roomBytes });
  const volumes: Record<string, SmallVolume> = {};
  const system = createManualSystem();

  /** Each lets something go wrong, and gives the way back. */
  const groups: readonly (() => (() => unknown) | Promise<() => unknown>)[] = [
    function storage() {
      const befall = () => (random() < 0.6 ? randomFault(random, bytes.length) : undefined);
      for (const server of [trial.storage, trial.mirror]) server.script = befall;
      return () => {
        for (const server of [trial.storage, trial.mirror]) server.script = () => undefined;
      };
    },
    function catalog() {
      const answers: (() => Fault | undefined)[] = [
        () => ({ status: 429, headers: { 'retry-after': String(upTo(200)) } }),
        () => ({ status: oneOf(503, 500, 502, 401, 204, 200), body: '' }),
        () => ({ status: 307, headers: { location: `${trial.storage.origin}/${upTo(9)}.tif` } }),
        () => ({ body: '<!doctype html>', headers: { 'content-type': 'text/html' } }),
        () => ({ delayMs: upTo(50) }),
      ];
      const answer = oneOf(...answers);
      const share = random();
      trial.api.script = (_, { path }: SeenRequest) => {
        if (random() > share) return undefined;
        const fault = answer();
        return fault?.status === 307 && path !== '/v1/asset' ? undefined : fault;
      };
      trial.catalog.lifeMs = oneOf(60_000, 400_000, 12 * hourMs);
      return () => (trial.api.script = () => undefined);
    },
    function clock() {
      const { time } = trial.harness;
      time.setClock(time.clock.now() + oneOf(-20, -5, -1, 1, 5, 20) * hourMs);
      return () => undefined;
    },
    function disk() {
      const room = volume.roomBytes;
      Object.assign(
        volume,
        oneOf<Partial<SmallVolume>>(
          { roomBytes: 0 },
          { roomBytes: upTo(bytes.length), fullCode: 'EDQUOT' },
          { roomBytes: upTo(bytes.length), isLate: true },
          { goneCode: oneOf('EIO', 'ENOENT', 'ENODEV') },
          { lockedCode: oneOf('EROFS', 'EACCES') },
        ),
      );
      return () =>
        Object.assign(volume, {
          roomBytes: room,
          fullCode: 'ENOSPC',
          isLate: false,
          goneCode: null,
          lockedCode: null,
        });
    },
    async function network() {
      const gone = oneOf([trial.storage], [trial.mirror], [trial.storage, trial.mirror, trial.api]);
      for (const server of gone) await server.goDown();
      return async () => {
        for (const server of gone) await server.comeBack();
        system.emit('network');
      };
    },
    async function person() {
      const { downloads } = trial.harness;
      const some = downloads.transfers().flatMap((one) => (random() < 0.4 ? one.transferId : []));
      if (some.length === 0) return () => undefined;
      const { cancelId } = await downloads.cancel({ transferIds: some });
      // Before its time is over, or too late; perhaps of a program that was started again meanwhile.
      const again = () => trial.harness.downloads;
      return oneOf(
        () => again().startNow(some),
        () => again().undoCancel(cancelId),
        () => again().move(some, 'bottom'),
      );
    },
    async function computer() {
      const { downloads, restart, time } = trial.harness;
      const what = upTo(4);
      if (what === 0) await restart();
      else if (what === 1) downloads.setMaxConcurrentTransfers(1 + upTo(8));
      else if (what === 2) await downloads.pause({ states: ['downloading', 'waiting'] });
      else {
        system.emit('suspend');
        time.setClock(time.clock.now() + 10 * hourMs);
        system.emit('resume');
      }
      return () => undefined;
    },
  ];

  async function pass(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) {
      trial.harness.time.advance(oneOf(100, 1000, 5000));
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
  }

  it(
    `L3 put nothing wrong under a name, and stop nothing for good (seed ${seed})`,
    { timeout: 120_000 },
    async () => {
      trial.network = createOddNetwork({ headMs: 500 });
      const probe = () => Promise.resolve(true);
      const options = { system, probe, random, disk: createSmallVolumes(volumes), maxConcurrentTransfers: 4 };
      const keys = trial.openMany(fileCount, {}, options);
      Object.assign(trial.bounds, { requests: 20_000, wholes: 2000 });
      Object.assign(volume, createSmallVolume({ roomBytes }));
      volumes[trial.harness.destination] = volume;
      const startMs = trial.harness.time.clock.now();
      trial.catalog.now = () => startMs + trial.harness.time.timers.elapsedMs();
      await trial.harness.start(keys, oneOf('auto', 'signed', 'proxy'));
      for (let round = 0; round < rounds; round += 1) {
        const chosen = [...groups].sort(() => random() - 0.5).slice(0, 3);
        const back = [];
        for (const fail of chosen) back.push(await fail());
        await pass(20);
        for (const mend of back) await mend();
        await trial.harness.downloads.resume({ states: ['failed', 'paused', 'cancelled'] });
        await pass(5);
      }
      const { downloads, time } = trial.harness;
      downloads.setMaxConcurrentTransfers(4);
      downloads.noteSignedIn('test');
      const endMs = time.timers.elapsedMs() + 3 * hourMs;
      const states = () => downloads.transfers().map(({ state, error }) => `${state} ${error?.code ?? ''}`);
      while (states().some((state) => state !== 'done ') && time.timers.elapsedMs() < endMs) {
        await downloads.resume({ states: ['failed', 'paused', 'cancelled'] });
        await pass(20);
      }
      expect(states()).toEqual(keys.map(() => 'done '));
    },
  );
});
