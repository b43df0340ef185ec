import { expect, it } from 'vitest';
import { poll } from '../testing/download-harness.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

const trial = useFaultTrial(makeTiff(5000));

it('K6 opens a queue of 5,000 files, tells it in pieces and goes on with it', async () => {
  const keys = trial.openMany(5000);
  const { downloads, start, restart } = trial.harness;
  await downloads.pauseQueue();
  await start(keys);
  await restart();
  const pieces: number[] = [];
  trial.harness.downloads.watch(({ changed }) => void pieces.push(changed.length));
  await poll(() => {
    trial.harness.time.advance(10);
    return pieces.reduce((sum, count) => sum + count, 0) >= keys.length || undefined;
  });
  expect(Math.max(...pieces)).toBeLessThanOrEqual(500);
  trial.harness.downloads.resumeQueue();
  await poll(() => trial.harness.downloads.status().counts.done > 20 || undefined);
});
