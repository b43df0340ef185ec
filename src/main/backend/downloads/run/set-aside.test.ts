import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checksumOf, makeBytes } from '../testing/download-harness.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const bytes = makeBytes(1_000_000);
const partSizes = { chunkBytes: 100_000, windowChunks: 4, writeBytes: 50_000, mostWriteBytes: 100_000 };
const test = useDownloads(bytes);
const path = 's2/2024/scene/B04.bin';

describe('a file that stays wrong', () => {
  it('is kept under another name, and never published', async () => {
    const wrong = checksumOf(Buffer.from('something else'));
    test.open({ B04: test.asset('B04.bin', { checksum: wrong }) }, { partSizes });
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({
      state: 'failed',
      error: {
        code: 'transfer.checksum-mismatch',
        details: {
          expected: wrong.slice(4),
          actual: checksumOf(bytes).slice(4),
          keptAs: expect.stringMatching(/^B04\.bin\.1-[0-9a-f]{6}\.bad$/) as string,
        },
      },
    });
    const [kept = '', ...others] = test.harness.files();
    expect([kept, others]).toEqual([expect.stringMatching(/B04\.bin\.1-[0-9a-f]{6}\.bad$/), []]);
    expect(test.harness.read(kept).equals(bytes)).toBe(true);
  });

  it('is not left beside the right one, which came after it', async () => {
    test.open({ B04: test.asset('B04.bin') }, { partSizes });
    test.server.script = () => ({ file: makeBytes(1_000_000, 2), ignoresRange: true });
    const [failed] = await test.harness.finish(await test.harness.start(['B04']));
    expect(failed?.error?.details['keptAs']).toBeDefined();
    expect(test.harness.files()).toHaveLength(1);
    test.server.script = () => ({});
    await test.harness.downloads.resume(1);
    const [transfer] = await test.harness.finish(1);
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(test.harness.files()).not.toContainEqual(expect.stringMatching(/\.bad$/));
  });

  it('takes the place of no file of a person’s', async () => {
    const wrong = checksumOf(Buffer.from('something else'));
    test.open({ B04: test.asset('B04.bin', { checksum: wrong }) }, { partSizes });
    const mine = join(test.harness.destination, `${path}.1.bad`);
    mkdirSync(dirname(mine), { recursive: true });
    writeFileSync(mine, 'mine');
    const [failed] = await test.harness.finish(await test.harness.start(['B04']));
    expect(failed?.error?.details['keptAs']).toBeDefined();
    expect(readFileSync(mine, 'utf8')).toBe('mine');
  });

  it('comes when it is ordered again after the catalog has withdrawn its checksum', async () => {
    const assets = { B04: test.asset('B04.bin', { checksum: checksumOf(Buffer.from('something else')) }) };
    test.open(assets, { partSizes });
    const [failed] = await test.harness.finish(await test.harness.start(['B04']));
    expect(failed?.state).toBe('failed');
    assets.B04 = test.asset('B04.bin', { checksum: null });
    const { B04 } = test.harness.item['assets'] as Record<string, object>;
    test.harness.item = {
      ...test.harness.item,
      assets: { B04: { ...B04, 'file:checksum': undefined } },
    };
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', verification: 'size-only' });
  });

  it('blames the catalog when another source says the same', async () => {
    const wrong = checksumOf(Buffer.from('something else'));
    test.open({ B04: test.asset('B04.bin', { checksum: wrong }) }, { partSizes });
    const { resolveLink } = test.harness;
    test.harness.resolveLink = async (asset, wish) => {
      const linked = await resolveLink(asset, wish);
      const kind = wish.refused?.has('signed') ? 'proxy' : 'signed';
      return { ...linked, link: { ...linked.link, kind } };
    };
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'failed', error: { code: 'transfer.source-mismatch' } });
    // Tried again, the file that was set aside gives way.
    await test.harness.downloads.resume(1);
    await test.harness.finish(1);
    expect(test.harness.files()).toHaveLength(1);
  });
});
