import { describe, expect, it } from 'vitest';
import { checksumOf, poll } from '../testing/download-harness.ts';
import type { Fault } from '../testing/fault.ts';
import { linkSignature } from '../testing/fault-catalog.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

// What the list of downloads.md d does not name.

const bytes = makeTiff(1_200_000);
const trial = useFaultTrial(bytes);
const size = bytes.length;
const cutAt = 700_000;
const from = cutAt - 65_536;
const hourMs = 3_600_000;
const cut: Fault = { cutAfterBytes: cutAt };
const tooBusy = (retryAfter: string): Fault => ({ status: 503, headers: { 'retry-after': retryAfter } });
const page = { body: '<!doctype html>'.padEnd(size), headers: { 'content-type': 'text/html' } };
// Bodies that are refused come slowly: what the network holds of them is not what was asked for.
const slowly = { bytesPerSecond: 200_000 };

type Script = (index: number) => Fault | undefined;

/** The first request is cut in the middle, all others befall as told. */
const after =
  (fault: Fault): Script =>
  (index) =>
    index === 0 ? cut : fault;
const once =
  (...faults: Fault[]): Script =>
  (index) =>
    faults[index];
const always =
  (fault: Fault): Script =>
  () =>
    fault;
const newTag: Script = (index) => ({ etag: `"e${index}"`, ...(index < 5 ? { cutAfterBytes: 300_000 } : {}) });
const otherTags: Script = (index) => ({
  etag: `"copy ${index % 2}"`,
  ...(index < 12 ? { cutAfterBytes: 300_000 } : {}),
});

describe('a file comes whole from a server that', () => {
  it.each<[what: string, by: 'signed' | 'proxy', script: Script, wholes: number]>([
    [
      'states another size in the middle',
      'signed',
      once(cut, { contentRange: `bytes ${from}-${size - 1}/${size + 100}`, ...slowly }),
      1,
    ],
    ['compresses a range', 'signed', once(cut, { encoding: 'gzip', ...slowly }), 1],
    ['ends a range with the connection', 'signed', once(cut, { lengthBy: 'closing' }), 1],
    ['redirects in a circle', 'proxy', after({ status: 302, headers: { location: '?again' } }), 1],
    ['redirects to what is not http', 'proxy', after({ status: 302, headers: { location: 'ftp://x/y' } }), 1],
    ['has another ETag each time', 'signed', newTag, 3],
    ['has copies with ETags of their own, and breaks off often', 'signed', otherTags, 2],
    ['states more than it has', 'proxy', always({ headers: { 'content-length': `${size + 9}` }, ...cut }), 4],
    ['states less than it has', 'proxy', always({ headers: { 'content-length': `${size - 9}` } }), 4],
    ['says of everything that it is not there', 'proxy', always({ status: 416 }), 1],
    ['says of the rest that it is not there', 'proxy', after({ status: 416 }), 2],
    ['says that nothing has changed', 'proxy', always({ status: 304 }), 1],
    [
      'gives a range to whoever asks for the whole',
      'proxy',
      always({ status: 206, body: 'II*\0', headers: { 'content-range': `bytes 0-3/${size}` } }),
      1,
    ],
    ['shows a page as long as the file', 'proxy', after({ ...page, ...slowly }), 2],
    [
      'gives a range without a byte',
      'proxy',
      after({ status: 206, body: '', headers: { 'content-range': `bytes ${from}-${size - 1}/${size}` } }),
      2,
    ],
    [
      'ends in a megabyte of garbage',
      'signed',
      once({ cutAfterBytes: 50_000, garbage: Buffer.alloc(1_100_000, 'x') }),
      2,
    ],
    ['wants less than no pause', 'signed', once(tooBusy('-5')), 1],
    ['wants a pause until 1970', 'signed', once(tooBusy('Thu, 01 Jan 1970 00:00:00 GMT')), 1],
    ['wants a pause for ever', 'signed', once(tooBusy('1e99')), 1],
  ])('%s, by a %s link', async (_, by, script, wholes) => {
    trial.open();
    Object.assign(trial.bounds, { requests: 40, wholes });
    trial.storage.script = script;
    const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum', linkKind: by });
  });

  // Servers of one storage, whose clocks or copies differ.
  it.each<[what: string, script: Script]>([
    [
      'has another date each time, and no ETag',
      (index) => ({
        etag: null,
        lastModified: `Wed, ${10 + (index % 10)} Feb 2026 10:00:00 GMT`,
        ...(index < 3 ? { cutAfterBytes: 300_000 * (index + 1) } : {}),
      }),
    ],
    [
      'has an ETag only now and then, breaks off, and compresses what it is asked for again',
      (index) => ({
        etag: index % 2 === 0 ? null : '"v1"',
        ...(index < 3 ? { cutAfterBytes: 400_000 } : {}),
        ...(index === 2 ? { encoding: 'gzip' } : {}),
      }),
    ],
    [
      'gives the whole for every other range, and in the end states no length',
      (index) => ({
        ignoresRange: index % 2 === 1,
        ...(index < 3 ? { cutAfterBytes: 500_000 } : { lengthBy: 'closing' }),
      }),
    ],
  ])('%s, where only the size is known', async (_, script) => {
    trial.open({ checksum: null });
    Object.assign(trial.bounds, { requests: 40, wholes: 5 });
    trial.storage.script = script;
    const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', verification: 'size-only' });
  });

  it('states less than it has, where only the checksum is known', async () => {
    trial.open({ sizeBytes: null });
    Object.assign(trial.bounds, { requests: 12, wholes: 3 });
    expect(await trial.bring({ headers: { 'content-length': `${size - 9}` } })).toMatchObject({
      state: 'done',
      verification: 'checksum',
    });
  });
});

describe('a longer file, sent without its length,', () => {
  const longer: Fault = { file: makeTiff(size + 50_000, 5), etag: null, lengthBy: 'chunks' };

  it('is not cut off at the size that the catalog says, and the right one comes when it is there', async () => {
    trial.open({ checksum: null });
    trial.bounds.wholes = 2;
    expect(await trial.bring(longer)).toMatchObject({ state: 'done' });
  });

  it('is not taken for the whole where it falls silent at that very size', async () => {
    const { start, downloads, time } = trial.open({ checksum: null });
    Object.assign(trial.bounds, { requests: 8, wholes: 4 });
    trial.storage.script = once({ ...longer, stallAfterBytes: size });
    await start(['B04']);
    await poll(() => {
      time.advance(5000);
      return downloads.transfers()[0]?.state === 'done' || undefined;
    });
  });

  it('fails where every way leads to it', async () => {
    trial.open({ checksum: null });
    Object.assign(trial.bounds, { requests: 8, wholes: 4 });
    trial.mirror.script = always(longer);
    const error = { code: 'transfer.size-mismatch', details: { expectedBytes: size, isLeast: true } };
    expect(await trial.bring(...Array<Fault>(8).fill(longer))).toMatchObject({ state: 'failed', error });
  });

  it('comes whole in place of one of which nothing but its first bytes came', async () => {
    trial.open({ checksum: null, sizeBytes: null });
    Object.assign(trial.bounds, { requests: 8, wholes: 4, sources: [longer.file] });
    const brought = await trial.bring({ cutAfterBytes: 1 }, ...Array<Fault>(8).fill(longer));
    expect(brought).toMatchObject({ state: 'done', totalBytes: size + 50_000 });
  });
});

it('a server that wants a long pause is asked once more when a person says that it should go on', async () => {
  const { start, until, downloads } = trial.open();
  trial.storage.script = once(tooBusy('3000'));
  const downloadId = await start(['B04']);
  const { transferId } = await until(downloadId, ({ state }) => state === 'waiting');
  const before = trial.storage.requests.length;
  expect(await downloads.resume(transferId)).toEqual({ count: 1 });
  await until(downloadId, ({ state }) => state === 'done');
  expect(trial.storage.requests.length).toBe(before + 1);
});

describe('when a link has ended in the middle of a file, a catalog that', () => {
  async function endLink(): Promise<number> {
    const { start, until, time } = trial.open();
    Object.assign(trial.bounds, { requests: 12, wholes: 2 });
    trial.storage.script = once(cut);
    const downloadId = await start(['B04']);
    await until(downloadId, ({ state }) => state === 'waiting');
    time.setClock(time.clock.now() + 13 * hourMs);
    return downloadId;
  }

  it('has no such item any more ends it, and what came is kept', async () => {
    const downloadId = await endLink();
    trial.api.script = always({ status: 404 });
    const [transfer] = await trial.harness.finish(downloadId);
    expect(transfer).toMatchObject({ state: 'failed', error: { code: 'stac.item-not-found' } });
    expect(trial.harness.files().filter((path) => path.endsWith('.part'))).toHaveLength(1);
  });

  it('has no such file any more ends it', async () => {
    const downloadId = await endLink();
    trial.catalog.assets = {};
    const [transfer] = await trial.harness.finish(downloadId);
    expect(transfer).toMatchObject({ state: 'failed', error: { code: 'stac.asset-not-found' } });
  });

  it('announces another size and checksum has that file come', async () => {
    const next = makeTiff(900_000, 5);
    const downloadId = await endLink();
    const [asset] = Object.values(trial.catalog.assets);
    const known = { sizeBytes: next.length, checksum: checksumOf(next) };
    if (asset) trial.catalog.assets = { B04: { ...asset, ...known } };
    for (const store of [trial.storage, trial.mirror]) Object.assign(store, { file: next, etag: '"v2"' });
    trial.bounds.sources = [next];
    const [transfer] = await trial.harness.finish(downloadId);
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum', totalBytes: next.length });
  });

  it.each([
    ['signed', 'another size', 900_000],
    ['signed', 'the same size', size],
    ['public', 'another size', 900_000],
    ['public', 'the same size', size],
  ])('has replaced a file with a %s link by one of %s brings that one', async (kind, _size, sizeBytes) => {
    const next = makeTiff(sizeBytes, 5);
    const keys = trial.openMany(2, {}, { maxConcurrentTransfers: 1 });
    Object.assign(trial.bounds, { requests: 30, wholes: 12, sources: [bytes, next] });
    const href = (key: string) => `${trial.storage.origin}/${key}.tif`;
    if (kind === 'public') {
      trial.storage.route = () => undefined;
      for (const [key, asset] of Object.entries(trial.catalog.assets))
        asset.members = { href: href(key), alternate: {} };
    }
    let isReplaced = false;
    // The first file had the item asked for; only then is the second another one.
    trial.storage.script = (_index, { path }) => {
      if (isReplaced || !path.endsWith('B1.tif')) return;
      isReplaced = true;
      const asset = trial.catalog.assets['B1'];
      if (asset) Object.assign(asset, { sizeBytes: next.length, checksum: checksumOf(next) });
      for (const store of [trial.storage, trial.mirror]) Object.assign(store, { file: next, etag: '"v2"' });
    };
    const transfers = await trial.harness.finish(await trial.harness.start(keys));
    expect(transfers.map(({ error }) => error)).toEqual([null, null]);
    expect(transfers[1]).toMatchObject({ verification: 'checksum', totalBytes: next.length });
  });

  it('announces a checksum that proves nothing is held to the one of before', async () => {
    const downloadId = await endLink();
    const [asset] = Object.values(trial.catalog.assets);
    if (asset) trial.catalog.assets = { B04: { ...asset, checksum: 'zz-no-checksum' } };
    expect((await trial.harness.finish(downloadId))[0]).toMatchObject({
      state: 'done',
      verification: 'checksum',
    });
  });

  it('shows a page is asked again later', async () => {
    const downloadId = await endLink();
    const { length } = trial.api.requests;
    trial.api.script = (index) =>
      index < length + 3 ? { body: '<html>', headers: page.headers } : undefined;
    const [transfer] = await trial.harness.finish(downloadId);
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
  });
});

it.each([
  ['fall silent in the middle', { stallAfterBytes: 200_000 }],
  ['don’t answer at all', { isSilent: true }],
])('servers that %s keep nobody else waiting', async (_, fault) => {
  const keys = trial.openMany(6, {}, { maxConcurrentTransfers: 2 });
  Object.assign(trial.bounds, { requests: 30, wholes: 9 });
  const isBad = ({ path }: { path: string }) => /B[01]\.tif$/.test(path);
  trial.storage.script = (_index, request) => (isBad(request) ? fault : undefined);
  const { start, time, downloads } = trial.harness;
  const downloadId = await start(keys);
  const stateOf = (key: string) => downloads.transfers().find(({ assetKey }) => assetKey === key);
  await poll(() => (trial.storage.requests.filter(isBad).length === 2 ? true : undefined));
  await poll(() => {
    time.advance(1000);
    return ['B0', 'B1'].every((key) => stateOf(key)?.quietSince !== undefined) || undefined;
  });
  await poll(() => keys.slice(2).every((key) => stateOf(key)?.state === 'done') || undefined);
  for (const key of ['B0', 'B1']) {
    expect(stateOf(key)?.state).toMatch(/^(preparing|downloading)$/);
    expect(Date.parse(stateOf(key)?.quietSince ?? '')).toBeLessThan(time.clock.now());
  }
  await downloads.cancel({ downloadId });
});

it('a server with many files that falls silent keeps few places, and all of them come when it speaks', async () => {
  const keys = trial.openMany(16, {}, { maxConcurrentTransfers: 2 });
  Object.assign(trial.bounds, { requests: 200, wholes: 40 });
  const { start, time, downloads } = trial.harness;
  const ofMirror = new Set(keys.slice(0, 12));
  for (const key of ofMirror) {
    const href = `${trial.mirror.origin}/${key}.tif?Signature=${linkSignature}&Expires=9999999999`;
    Object.assign(trial.catalog.assets[key] ?? {}, { members: { alternate: { download: { href } } } });
  }
  let isSilent = true;
  trial.mirror.script = () => (isSilent ? { stallAfterBytes: 200_000 } : undefined);
  const downloadId = await start(keys);
  const resting = new Set(['queued', 'waiting', 'done']);
  await poll(() => {
    const others = downloads.transfers().filter(({ assetKey }) => !ofMirror.has(assetKey));
    if (others.every(({ state }) => state === 'done')) return true;
    // No time passes while others are at work: on a slow machine they would be silent too.
    if (others.every(({ state }) => resting.has(state))) time.advance(1000);
    return undefined;
  });
  // Two for each place, and what began meanwhile.
  const quiet = downloads.transfers().filter(({ quietSince }) => quietSince !== undefined);
  expect(quiet.length).toBeLessThanOrEqual(6);
  isSilent = false;
  let looks = 0;
  await poll(() => {
    // What was asked before it speaks has to be given up first; what comes then has the time that it needs.
    if ((looks += 1) % 10 === 0) time.advance(1000);
    return downloads.transfers().every(({ state }) => state === 'done') || undefined;
  });
  await downloads.waitUntilSettled(downloadId);
}, 120_000);

it.each<[what: string, spoil: () => void]>([
  ['resets every connection', () => (trial.storage.resetsConnection = () => true)],
  ['cuts every answer short', () => (trial.storage.script = () => ({ cutAfterBytes: 1000 }))],
  ['talks no HTTP', () => (trial.storage.script = () => ({ raw: ['SSH-2.0-OpenSSH_9.9\r\n'] }))],
])('a storage that %s is passed over for the proxy', async (_, spoil) => {
  trial.open();
  Object.assign(trial.bounds, { requests: 40, wholes: 3 });
  spoil();
  const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
  expect(transfer).toMatchObject({ state: 'done', verification: 'checksum', linkKind: 'proxy' });
});

it('a file that nobody has leaves no empty one behind, and comes when somebody has it', async () => {
  trial.open();
  Object.assign(trial.bounds, { requests: 12 });
  trial.storage.script = trial.mirror.script = () => ({ status: 404 });
  const downloadId = await trial.harness.start(['B04']);
  expect((await trial.harness.finish(downloadId))[0]?.state).toBe('failed');
  expect(trial.harness.files()).toEqual([]);
  trial.storage.script = () => undefined;
  await trial.harness.downloads.resume({ downloadId });
  expect((await trial.harness.finish(downloadId))[0]).toMatchObject({
    state: 'done',
    verification: 'checksum',
  });
});
