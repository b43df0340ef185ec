import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { finalFiles } from '../testing/invariants.ts';
import type { Fault } from '../testing/fault.ts';
import { readRange } from '../testing/fault.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

// Two pictures of one size with the same emptiness where the connection breaks off: no overlap tells them apart.
const emptyFrom = 600_000;
const cutAt = 700_000;
const bytes = makePicture(1);
const earlier = makePicture(2);
const trial = useFaultTrial(bytes);
const cut: Fault = { cutAfterBytes: cutAt };
const [oldDate, newDate] = ['Wed, 04 Feb 2026 10:00:00 GMT', 'Thu, 05 Feb 2026 10:00:00 GMT'];

function makePicture(seed: number): Buffer {
  return makeTiff(1_200_000, seed).fill(0, emptyFrom, cutAt + 100_000);
}

function dated(lastModified: string): Fault {
  return { lastModified };
}

function thisMinute(second: number): Fault {
  return dated(new Date(Math.floor(Date.now() / 60_000) * 60_000 + second * 1000).toUTCString());
}

describe('a file that was replaced by another of its size', () => {
  it.each<[what: string, before: Fault, now: Fault]>([
    ['a weak ETag', { etag: 'W/"1"' }, { etag: 'W/"2"' }],
    ['a strong ETag that became a weak one', { etag: '"1"' }, { etag: 'W/"2"' }],
    ['a weak ETag that became a strong one', { etag: 'W/"1"' }, { etag: '"2"' }],
    ['a date', { etag: null, lastModified: oldDate }, { etag: null, lastModified: newDate }],
    ['a date that promised nothing', { etag: null, ...thisMinute(0) }, { etag: null, ...thisMinute(30) }],
    ['a date beside a weak ETag', { etag: 'W/"1"', ...dated(oldDate) }, { etag: 'W/"1"', ...dated(newDate) }],
    ['no ETag any more', { etag: '"1"' }, { etag: null }],
    ['a date whose ETag is missing now', { etag: '"1"', lastModified: oldDate }, { lastModified: newDate }],
  ])('is begun again when a range shows %s', async (_, before, now) => {
    trial.open({ checksum: null });
    trial.storage.etag = null;
    Object.assign(trial.bounds, { requests: 6, wholes: 3 });
    trial.storage.script = (index) =>
      index === 0 ? { ...cut, file: earlier, ...before } : { ifRange: 'ignored', ...now };
    const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', verification: 'size-only' });
  });

  it('is begun again when the first ETag was left out in between', async () => {
    trial.open({ checksum: null });
    Object.assign(trial.bounds, { requests: 8, wholes: 3 });
    const old: Fault = { file: earlier, ifRange: 'ignored' };
    const transfer = await trial.bring(
      { ...old, ...cut, etag: '"1"' },
      { ...old, etag: null, cutAfterBytes: 100_000 },
      { etag: '"2"', ifRange: 'ignored' },
    );
    expect(transfer.state).toBe('done');
  });

  it('is taken whole by another date, and not held against what is there', async () => {
    trial.open({ checksum: null });
    Object.assign(trial.storage, { etag: null, lastModified: newDate });
    Object.assign(trial.bounds, { requests: 8, wholes: 3 });
    // The second is cut before it comes to where the two differ from what is there.
    const transfer = await trial.bring(
      { ...cut, file: joinAt(400_000), lastModified: oldDate },
      { cutAfterBytes: 300_000 },
      { ifRange: 'ignored' },
    );
    expect(transfer.state).toBe('done');
  });
});

describe('a whole without any validator that takes the place of what is there', () => {
  const stale: Fault = { file: earlier, etag: null, ignoresRange: true };

  it.each<[string, Fault]>([
    ['a strong ETag', { etag: '"1"' }],
    ['a weak ETag', { etag: 'W/"1"' }],
    ['a date', { etag: null, lastModified: oldDate }],
  ])('is not gone on with by %s of before', async (_, named) => {
    trial.open({ checksum: null });
    Object.assign(trial.bounds, { requests: 12, wholes: 5 });
    const own = { ...named, ifRange: 'ignored' } as const;
    trial.storage.script = (index) =>
      index === 0 ? { ...own, cutAfterBytes: 300_000 } : index < 3 ? { ...stale, ...cut } : own;
    const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
    expect(transfer?.state).toBe('done');
  });

  it('says nothing of what is there before it has gone beyond it', async () => {
    trial.open({ checksum: null });
    trial.bounds.sources = [bytes, earlier];
    Object.assign(trial.bounds, { requests: 14, wholes: 5 });
    const other: Fault = { file: joinAt(400_000), etag: null, lastModified: newDate, ifRange: 'ignored' };
    trial.bounds.sources.push(joinAt(400_000));
    const transfer = await trial.bring(
      { etag: '"1"', ...cut },
      other,
      other,
      { ...other, cutAfterBytes: 300_000 },
      ...Array<Fault>(8).fill(other),
    );
    expect(transfer.state).toBe('done');
  });
});

describe('a source that has copies', () => {
  it('is asked for the rest by what the checksum will prove, where each copy has an ETag', async () => {
    trial.open();
    Object.assign(trial.bounds, { requests: 12, wholes: 2 });
    trial.storage.script = (index) => ({ etag: `"${String(index)}"`, cutAfterBytes: 300_000 });
    const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum', linkKind: 'signed' });
  });

  it.each<[string, (index: number) => Fault]>([
    [
      'another date each time',
      (index) => ({ etag: null, lastModified: new Date(index * 1e9).toUTCString() }),
    ],
    [
      'other bytes each time',
      (index) => ({ etag: null, ifRange: 'ignored', file: makeTiff(1_200_000, index + 3) }),
    ],
  ])('fails in the end where it has %s, and is not asked without end', async (_, told) => {
    trial.open({ checksum: null });
    Object.assign(trial.bounds, { requests: 30, wholes: 10 });
    trial.storage.script = (index) => ({ ...told(index), cutAfterBytes: 400_000 });
    const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'failed', error: { code: 'transfer.source-changed' } });
  });
});

it('a file of unknown size is not taken for whole by an answer that ends before what is there', async () => {
  trial.open({ sizeBytes: null, checksum: null });
  Object.assign(trial.bounds, { requests: 6, wholes: 3 });
  const whole: Fault = { etag: null, lengthBy: 'chunks', ignoresRange: true };
  const transfer = await trial.bring(
    { ...whole, ...cut },
    { ...whole, file: bytes.subarray(0, 500_000) },
    whole,
  );
  expect(transfer).toMatchObject({ state: 'done', totalBytes: bytes.length });
});

it('a file of unknown size is not taken for whole by a server that kept what came before a break', async () => {
  trial.open({ sizeBytes: null, checksum: null });
  Object.assign(trial.bounds, { requests: 6, wholes: 3 });
  const kept: Fault = { file: bytes.subarray(0, cutAt) };
  const transfer = await trial.bring({ lengthBy: 'chunks', ...cut }, kept, kept);
  expect(transfer).toMatchObject({ state: 'done', totalBytes: bytes.length });
});

it('goes on where copies of a file each have a weak ETag, and a checksum will prove it', async () => {
  trial.open();
  Object.assign(trial.bounds, { requests: 8, wholes: 1 });
  trial.storage.script = (index) => ({
    etag: `W/"${String(index)}"`,
    ...(index < 5 ? { cutAfterBytes: 200_000 } : {}),
  });
  const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
  expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
  expect(trial.ranges().filter((range) => range === null || range === 'bytes=0-')).toHaveLength(1);
});

function joinAt(position: number): Buffer {
  return Buffer.concat([bytes.subarray(0, position), earlier.subarray(position)]);
}

describe('a source that never says how long the file is', () => {
  it('is asked for the whole once its ranges bring nothing more', async () => {
    trial.open({ sizeBytes: null, checksum: null });
    Object.assign(trial.bounds, { requests: 8, wholes: 3 });
    trial.storage.script = (index, { headers }) => {
      const start = readRange(headers.range)?.start ?? 0;
      const range = { contentRange: `bytes ${start}-${bytes.length - 1}/*` };
      return { lengthBy: 'chunks', ...range, ...(index === 0 ? cut : {}) };
    };
    const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', totalBytes: bytes.length });
    expect(trial.ranges().at(-1)).toBeNull();
  });
});

describe('a source that compresses what nobody asked to be', () => {
  it('F4 is refused where it does so on the way', async () => {
    trial.open({ sizeBytes: null, checksum: null });
    Object.assign(trial.bounds, { requests: 12, wholes: 12 });
    for (const store of [trial.storage, trial.mirror]) {
      store.script = () => ({
        file: gzipSync(bytes),
        lengthBy: 'chunks',
        headers: { 'transfer-encoding': 'gzip, chunked' },
      });
    }
    const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'failed', error: { code: 'transfer.encoded-response' } });
    expect(finalFiles(trial.harness.destination)).toEqual([]);
  });
});
