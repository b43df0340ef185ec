import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { poll } from '../testing/download-harness.ts';
import { makeTiff, trialPath, useFaultTrial } from '../testing/fault-trial.ts';

// Smaller ones have no note beside their part.
const bytes = makeTiff(9_000_000);
const trial = useFaultTrial(bytes);
const stalledAt = 4_000_000;

it('I6 a queue file that is damaged is moved aside, and what came is found by its note', async () => {
  const { start, until, folder, destination } = trial.open();
  trial.storage.script = (index) => (index === 0 ? { stallAfterBytes: stalledAt } : undefined);
  await until(await start(['B04']), ({ receivedBytes }) => receivedBytes === stalledAt);
  await trial.harness.downloads.close();
  for (const end of ['', '-wal']) rmSync(join(folder, `transfers.sqlite${end}`), { force: true });
  writeFileSync(join(folder, 'transfers.sqlite'), 'no database at all '.repeat(50));
  trial.bounds.wholes = 2;
  await trial.harness.restart({ knownDestinations: () => [{ connectionId: 'test', destination }] });
  const { downloadId } = await poll(() => trial.harness.downloads.transfers()[0]);
  const { notice } = trial.harness.downloads.status();
  expect(existsSync(notice?.asidePath ?? '')).toBe(true);
  const [transfer] = await trial.harness.finish(downloadId);
  expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
  expect(trial.harness.read(trialPath).equals(bytes)).toBe(true);
});
