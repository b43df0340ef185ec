import { describe, expect, it } from 'vitest';
import { defaultTransferLimits } from '#shared/settings/transfer-limits.ts';
import { createRandom } from '#shared/testing/seeded-random.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

const mebibyte = 1024 * 1024;
const random = createRandom(Number(process.env['SWATH_SEED'] ?? 1));

describe('a long, bad line', () => {
  const bytes = makeTiff(40 * mebibyte);
  const trial = useFaultTrial(bytes);

  it('L2 brings a large file over connections that are slow to begin and never last', async () => {
    trial.open({}, { limits: defaultTransferLimits });
    Object.assign(trial.storage, { latencyMs: 200, bytesPerSecond: 40 * mebibyte });
    Object.assign(trial.bounds, { requests: 200 });
    trial.storage.script = () => ({ cutAfterBytes: mebibyte + Math.floor(random() * 9 * mebibyte) });
    const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(trial.storage.requests.length).toBeGreaterThan(4);
  });
});
