import { describe, expect, it } from 'vitest';
import { checksumOf } from '../testing/download-harness.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

const bytes = makeTiff(600_000);
const trial = useFaultTrial(bytes);
const page = Buffer.alloc(bytes.length, ' ');
page.write('<Error><Code>InternalError</Code></Error>');
const picture = { 'content-type': 'image/tiff' };

describe('a body that begins as no such file does', () => {
  it('is left at its first bytes for the other way', async () => {
    trial.open();
    Object.assign(trial.bounds, { requests: 8, wholes: 4 });
    trial.storage.script = () => ({ body: page, headers: picture });
    const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', linkKind: 'proxy', verification: 'checksum' });
    expect(trial.ranges(trial.mirror)).toEqual([null]);
  });

  it('comes where its checksum will say what it is', async () => {
    const other = Buffer.from(bytes);
    other.write('odd format');
    trial.storage.file = other;
    trial.bounds.sources = [other];
    trial.open({ checksum: checksumOf(other) });
    const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
  });
});
