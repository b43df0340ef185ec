import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { checkFolder } from '../output/verify-folder.ts';
import type { VerifyResult } from '../downloads.ts';
import { makeBytes } from '../testing/download-harness.ts';
import { useSceneOrders } from './testing/use-scene-orders.ts';

const { bytes, test, downloads, toOrder, manyItems, placeOrder, untilDone } = useSceneOrders();

describe('files that were brought', () => {
  it('calls no file missing whose drive is not there', async () => {
    const { harness } = test;
    await placeOrder(1);
    downloads().resumeQueue();
    await untilDone();
    const [done] = downloads().transfers();
    await downloads().close();
    // What is left where a drive was mounted: an empty folder of another volume.
    const database = new Database(join(harness.folder, 'transfers.sqlite'));
    database.exec(`UPDATE destination_volume SET volume = '9999:9999'`);
    database.close();
    rmSync(harness.destination, { recursive: true });
    mkdirSync(harness.destination);
    await harness.restart();
    const path = done?.filePath ?? '';
    expect(await downloads().noteFindings([{ path, result: 'missing' }])).toEqual({
      spoiltCount: 0,
      unknownPaths: [path],
    });
    const results: VerifyResult[] = [];
    const { signal } = new AbortController();
    await downloads().verify({}, { signal, onProgress: (progress) => results.push(...progress.results) });
    expect(results.map(({ result }) => result)).toEqual(['unreadable']);
    expect(downloads().transfers()[0]?.finding ?? null).toBeNull();
  });

  it('calls files missing whose destination was deleted', async () => {
    await placeOrder(1);
    downloads().resumeQueue();
    await untilDone();
    const path = downloads().transfers()[0]?.filePath ?? '';
    rmSync(test.harness.destination, { recursive: true });
    expect(await downloads().noteFindings([{ path, result: 'missing' }])).toEqual({
      spoiltCount: 1,
      unknownPaths: [],
    });
    expect(downloads().transfers()[0]?.finding).toBe('missing');
  });

  it('tells among what happened that a file was missing, and that it is there again', async () => {
    await placeOrder(1);
    downloads().resumeQueue();
    await untilDone();
    const [done] = downloads().transfers();
    const path = done?.filePath ?? '';
    for (const result of ['missing', 'missing', 'ok'] as const)
      await downloads().noteFindings([{ path, result }]);
    const { events } = downloads().details(done?.transferId ?? 0);
    expect(events.map(({ finding }) => finding).filter((finding) => finding !== null)).toEqual([
      'missing',
      'ok',
    ]);
  });

  it('reports a file once that was brought again under its name', async () => {
    await placeOrder(1);
    downloads().resumeQueue();
    await untilDone();
    rmSync(downloads().transfers()[0]?.filePath ?? '');
    await placeOrder(1);
    await untilDone();
    expect(downloads().transfers()).toHaveLength(2);
    expect(downloads().report(null).verified).toEqual({ count: 1, bytes: bytes.length });
  });

  it('knows its files again over a link to their folder', async () => {
    const { destination, folder } = test.harness;
    const link = join(folder, 'link');
    symlinkSync(destination, link);
    await downloads().order({ ...toOrder(manyItems(1), 1), destination: link });
    downloads().resumeQueue();
    await untilDone();
    const inside = relative(
      realpathSync(destination),
      realpathSync(downloads().transfers()[0]?.filePath ?? ''),
    );
    for (const root of [link, destination]) {
      const findings = [{ path: join(root, inside), result: 'missing' as const }];
      expect(await downloads().noteFindings(findings)).toEqual({ spoiltCount: 1, unknownPaths: [] });
    }
  });

  it.each([
    ['what failed is tried again', { states: ['failed' as const] }],
    ['its order is', { downloadId: 1 }],
  ])('keeps what is missing on the list, and fetches it when %s', async (_, filter) => {
    const { downloadId } = await placeOrder(2);
    downloads().resumeQueue();
    const [missing] = await test.harness.finish(downloadId ?? 0);
    const path = missing?.filePath ?? '';
    rmSync(path);
    await downloads().noteFindings([{ path, result: 'missing' }]);
    expect((await downloads().remove({ states: ['done'] })).count).toBe(1);
    expect(downloads().transfers()).toMatchObject([{ finding: 'missing' }]);
    expect((await downloads().resume(filter)).count).toBe(1);
    await test.harness.finish(downloadId ?? 0);
    expect(downloads().transfers()).toMatchObject([{ state: 'done', finding: null }]);
    rmSync(path);
    await downloads().noteFindings([{ path, result: 'missing' }]);
    expect((await downloads().remove({ states: ['failed'] })).count).toBe(1);
  });

  it('looks at files again, says what is wrong, and fetches anew what is missing or changed', async () => {
    const { downloadId } = await placeOrder(3);
    downloads().resumeQueue();
    const [whole, changed, missing] = await test.harness.finish(downloadId ?? 0);
    writeFileSync(changed?.filePath ?? '', makeBytes(bytes.length, 7));
    rmSync(missing?.filePath ?? '');
    const results: VerifyResult[] = [];
    const signal = new AbortController().signal;
    await downloads().verify({}, { signal, onProgress: (progress) => results.push(...progress.results) });
    expect(results.map(({ result }) => result)).toEqual(['ok', 'changed', 'missing']);
    expect(downloads().report(downloadId)).toMatchObject({
      verified: { count: 1 },
      lost: [{ finding: 'changed' }, { finding: 'missing' }],
    });
    expect((await downloads().resume({ states: ['failed', 'done'] })).count).toBe(2);
    await test.harness.finish(downloadId ?? 0);
    for (const one of [changed, missing])
      expect(downloads().transfer(one?.transferId ?? 0)).toMatchObject({ state: 'done', finding: null });
    // The receipts speak of what is there now; the changed file lies beside it and is nobody's.
    const found: string[] = [];
    const check = await checkFolder(test.harness.destination);
    for await (const { result } of check.findings(signal)) found.push(result);
    expect(found.sort()).toEqual(['ok', 'ok', 'ok', 'unknown']);
    expect(downloads().transfer(whole?.transferId ?? 0).filePath).toBe(
      join(test.harness.destination, 's2/undated/scene-0/scene-0-B04.bin'),
    );
  });
});
