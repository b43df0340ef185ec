import { describe, expect, it } from 'vitest';
import { createRandom } from '#shared/testing/seeded-random.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';
import { createOddNetwork } from '../testing/odd-network.ts';
import { randomFault } from '../testing/random-fault.ts';

// `SWATH_SEED` for others than these.
const seed = Number(process.env['SWATH_SEED'] ?? 1);
const random = createRandom(seed);

describe('three faults at once', () => {
  const bytes = makeTiff(300_000);
  const trial = useFaultTrial(bytes);

  /** Lets time pass until nothing goes on by itself, however long that takes this machine. */
  async function settle(downloadId: number): Promise<Transfer[]> {
    const { downloads, time } = trial.harness;
    const over = { is: false };
    const settled = downloads.waitUntilSettled(downloadId).finally(() => (over.is = true));
    while (!over.is) {
      const isWaiting = downloads.transfers().some(({ state }) => state === 'waiting');
      // Silence is among the faults.
      time.advance(isWaiting ? 2000 : 100);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return settled;
  }

  it(
    `L3 put nothing wrong under a name, and stop nothing for good (seed ${seed})`,
    { timeout: 120_000 },
    async () => {
      trial.network = createOddNetwork({ headMs: 500 });
      const keys = trial.openMany(20, {}, { maxConcurrentTransfers: 6, random });
      Object.assign(trial.bounds, { requests: 4000, wholes: 1000 });
      let left = 200;
      for (const server of [trial.storage, trial.mirror])
        server.script = () =>
          left > 0 && random() < 0.7 && (left -= 1) >= 0 ? randomFault(random, bytes.length, 3) : undefined;
      const downloadId = await trial.harness.start(keys);
      await settle(downloadId);
      left = 0;
      await trial.harness.downloads.resume({ states: ['failed'] });
      const transfers = await settle(downloadId);
      expect(transfers.map(({ state, error }) => `${state} ${error?.code ?? ''}`)).toEqual(
        keys.map(() => 'done '),
      );
    },
  );
});
