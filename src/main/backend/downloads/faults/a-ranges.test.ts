import { describe, expect, it } from 'vitest';
import type { Fault } from '../testing/fault.ts';
import { finalFiles } from '../testing/invariants.ts';
import { makeTiff, trialPath, useFaultTrial } from '../testing/fault-trial.ts';

const bytes = makeTiff(1_200_000);
const otherBytes = makeTiff(1_200_000, 2);
const trial = useFaultTrial(bytes);
const cutAt = 700_000;
const cut: Fault = { cutAfterBytes: cutAt };
const resumed = `bytes=${cutAt - 65_536}-`;

describe('ranges and validators', () => {
  it('A1 reads on past what is there when a range brings the whole', async () => {
    trial.open();
    trial.bounds.wholes = 3;
    const transfer = await trial.bring(cut, { ignoresRange: true }, { ignoresRange: true });
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    // A server that takes If-Range amiss is asked once more without it.
    expect(trial.ranges()).toEqual([null, resumed, resumed]);
    expect(trial.storage.requests.map(({ headers }) => headers['if-range'])).toEqual([
      undefined,
      '"v1"',
      undefined,
    ]);
  });

  it('says that a server without ranges begins again where it breaks off', async () => {
    trial.open();
    Object.assign(trial.bounds, { wholes: 4, requests: 8 });
    const wholeOnly: Fault = { ignoresRange: true, cutAfterBytes: cutAt };
    trial.storage.script = (index) => [cut, wholeOnly, wholeOnly][index];
    const downloadId = await trial.harness.start(['B04']);
    const { until, time } = trial.harness;
    await until(downloadId, ({ state }) => state === 'waiting');
    time.advance(5000);
    await until(downloadId, ({ waiting }) => waiting?.error.details['givesNoRanges'] === true);
    const [transfer] = await trial.harness.finish(downloadId);
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
  });

  it('A2 believes the answer and not Accept-Ranges', async () => {
    trial.open({ checksum: null });
    trial.bounds.wholes = 3;
    const promise = { 'accept-ranges': 'bytes' };
    const whole: Fault = { ignoresRange: true, headers: promise, etag: null };
    trial.storage.etag = null;
    expect(await trial.bring(cut, whole, whole)).toMatchObject({ state: 'done', verification: 'size-only' });
  });

  it('A4 compares the overlap of a range that starts too early', async () => {
    trial.open();
    expect((await trial.bring(cut, { shiftStart: -4096 })).state).toBe('done');
    expect(trial.ranges()).toEqual([null, resumed]);
  });

  it('A5 writes nothing of a range that starts too late', async () => {
    trial.open();
    trial.bounds.wholes = 2;
    expect((await trial.bring(cut, { shiftStart: 1 })).state).toBe('done');
    expect(trial.ranges().slice(1)).toEqual([resumed, resumed]);
  });

  it('A5 asks for the whole when ranges go on being wrong', async () => {
    trial.open();
    trial.bounds.wholes = 4;
    trial.bounds.requests = 5;
    expect((await trial.bring(cut, { shiftStart: 1 }, { shiftStart: 7 })).state).toBe('done');
    expect(trial.ranges().at(-1)).toBeNull();
  });

  it('A7 takes no byte after the end of its range', async () => {
    trial.open();
    trial.bounds.wholes = 2;
    const tooLong: Fault = { extraBytes: 50_000, lengthBy: 'chunks' };
    expect((await trial.bring(cut, tooLong)).state).toBe('done');
    expect(trial.ranges()).toEqual([null, resumed]);
  });

  it('A7 takes nothing at all when the lengths contradict each other', async () => {
    trial.open();
    trial.bounds.wholes = 2;
    expect((await trial.bring(cut, { extraBytes: 50_000 })).state).toBe('done');
    expect(trial.ranges()).toHaveLength(3);
  });

  it.each([65_536, 100_000])(
    'costs little more than the file where a server gives no more than %i bytes at once',
    async (mostBytes) => {
      trial.open();
      trial.bounds.requests = 20;
      trial.storage.script = (index) => (index === 0 ? cut : { mostBytes });
      const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
      expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
      expect(trial.storage.sentBytes).toBeLessThan(1.3 * bytes.length);
    },
  );

  it('A8 takes an end before the start for no answer', async () => {
    trial.open();
    trial.bounds.wholes = 2;
    const contentRange = `bytes ${bytes.length}-${bytes.length - 1}/${bytes.length}`;
    const transfer = await trial.bring(cut, { mostBytes: 0, contentRange });
    expect(transfer.state).toBe('done');
  });

  it('A9 takes several ranges for no answer', async () => {
    trial.open();
    trial.bounds.wholes = 3;
    trial.bounds.requests = 5;
    expect((await trial.bring(cut, { isMultipart: true }, { isMultipart: true })).state).toBe('done');
    expect(trial.ranges().at(-1)).toBeNull();
  });

  // The request begins before the end of what is there: such an answer contradicts itself until the whole was read again.
  it('A10 takes what is there for all when nothing is left to send', async () => {
    trial.open({ sizeBytes: null });
    // All came, but the connection broke before its end was seen, and nobody had said the size.
    const all: Fault = { lengthBy: 'chunks', cutAfterBytes: bytes.length };
    const nothingLeft: Fault = { status: 416, headers: { 'content-range': `bytes */${bytes.length}` } };
    Object.assign(trial.bounds, { requests: 5, wholes: 2 });
    expect(await trial.bring(all, nothingLeft)).toMatchObject({ state: 'done', verification: 'checksum' });
    const resumed = `bytes=${bytes.length - 65_536}-`;
    expect(trial.ranges()).toEqual([null, resumed, resumed, null]);
  });

  it('A10 takes a beginning for no whole where the server only says so', async () => {
    trial.open({ sizeBytes: null, checksum: null });
    Object.assign(trial.bounds, { requests: 5, wholes: 2 });
    const nothingLeft: Fault = { status: 416, headers: { 'content-range': 'bytes */500000' } };
    const transfer = await trial.bring(
      { lengthBy: 'chunks', cutAfterBytes: 500_000 },
      nothingLeft,
      nothingLeft,
    );
    expect(transfer).toMatchObject({ state: 'done', totalBytes: bytes.length });
  });

  it('A11 asks for nothing more once all announced bytes are there', async () => {
    trial.open();
    const all: Fault = { lengthBy: 'chunks', cutAfterBytes: bytes.length };
    expect(await trial.bring(all, { status: 416 })).toMatchObject({
      state: 'done',
      verification: 'checksum',
    });
    expect(trial.ranges()).toEqual([null]);
  });

  it('A12 begins again once when the source has become shorter, and no more', async () => {
    trial.open({ sizeBytes: null, checksum: null });
    const shorter = makeTiff(300_000, 3);
    trial.bounds.sources = [shorter];
    trial.bounds.requests = 6;
    const transfer = await trial.bring(cut, ...Array<Fault>(9).fill({ file: shorter, etag: null }));
    expect(transfer.state).toBe('done');
    expect(trial.harness.read(trialPath).equals(shorter)).toBe(true);
  });

  it('A13 begins again when If-Range shows another file, and mixes nothing', async () => {
    trial.open({ checksum: null });
    trial.bounds.wholes = 3;
    trial.bounds.requests = 6;
    const transfer = await trial.bring({ ...cut, file: otherBytes, etag: '"old"' });
    expect(transfer.state).toBe('done');
  });

  it('A15 never says If-Range with a weak ETag, and compares the overlap', async () => {
    trial.open({ checksum: null });
    trial.storage.etag = 'W/"v1"';
    trial.bounds.wholes = 3;
    trial.bounds.requests = 6;
    expect((await trial.bring({ ...cut, file: otherBytes })).state).toBe('done');
    expect(trial.storage.requests.map(({ headers }) => headers['if-range'])).not.toContain('W/"v1"');
  });

  it('A16 takes a date of the same second for a weak validator', async () => {
    trial.open({ checksum: null });
    trial.storage.etag = null;
    trial.storage.lastModified = new Date(trial.harness.time.clock.now()).toUTCString();
    trial.bounds.wholes = 3;
    trial.bounds.requests = 6;
    expect((await trial.bring({ ...cut, file: otherBytes })).state).toBe('done');
    for (const { headers } of trial.storage.requests) expect(headers['if-range']).toBeUndefined();
  });

  it('A16 has an older date compared, where nothing else would show that the file is another', async () => {
    trial.open({ checksum: null });
    Object.assign(trial.storage, { etag: null, lastModified: 'Thu, 05 Feb 2026 10:00:00 GMT' });
    Object.assign(trial.bounds, { wholes: 2, requests: 6 });
    const lastModified = 'Wed, 04 Feb 2026 10:00:00 GMT';
    const alikeAtTheCut = Buffer.concat([otherBytes.subarray(0, 500_000), bytes.subarray(500_000)]);
    expect((await trial.bring({ ...cut, file: alikeAtTheCut, lastModified })).state).toBe('done');
    expect(trial.storage.requests.map(({ headers }) => headers['if-range'])).toEqual([
      undefined,
      lastModified,
    ]);
  });

  it('A17 finds by the overlap that a file without validators is another', async () => {
    trial.open();
    trial.storage.etag = null;
    trial.bounds.wholes = 4;
    trial.bounds.requests = 8;
    expect((await trial.bring({ ...cut, file: otherBytes })).state).toBe('done');
  });

  it('A17 publishes nothing when the checksum alone shows that the file is another', async () => {
    trial.open();
    trial.storage.etag = null;
    trial.bounds.wholes = 6;
    trial.bounds.requests = 14;
    // Alike from the overlap on, and another before it; the proxy leads to the same.
    const half = Buffer.concat([otherBytes.subarray(0, 500_000), bytes.subarray(500_000)]);
    trial.mirror.file = half;
    const transfer = await trial.bring(...Array<Fault>(14).fill({ file: half }));
    expect(transfer).toMatchObject({ state: 'failed' });
    expect(finalFiles(trial.harness.destination)).toEqual([]);
  });

  it('A18 goes on at a server that rejects If-Range', async () => {
    trial.open();
    trial.bounds.wholes = 2;
    trial.storage.script = (index) => (index === 0 ? cut : { ifRange: 'rejected' });
    const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
    expect(transfer?.state).toBe('done');
    expect(trial.ranges()).toEqual([null, resumed, resumed]);
  });
});
