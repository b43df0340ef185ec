import { describe, expect, it } from 'vitest';
import { silentLogger } from '../ports.ts';
import { createHttpClient } from './create-http-client.ts';
import { createRequestGate, type RequestGate } from './request-gate.ts';
import { failureOf } from './testing/failure-of.ts';
import { createManualTime } from './testing/manual-time.ts';
import { serve } from './testing/serve.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

function holdOpen(gate: RequestGate, signal?: AbortSignal) {
  const release = Promise.withResolvers<undefined>();
  let hasBegun = false;
  const done = gate.run(() => {
    hasBegun = true;
    return release.promise;
  }, signal);
  return { release, done, hasBegun: () => hasBegun };
}

describe('a gate', () => {
  it('lets so many through at once, in their order, and tells what goes on', async () => {
    const gate = createRequestGate({ maxRequests: 2, clock: createManualTime() });
    const seen: string[] = [];
    const stop = gate.onActivity(() => seen.push(`${gate.meter.active}/${gate.meter.waiting}`));
    const works = [1, 2, 3].map(() => holdOpen(gate));
    await settled();
    expect(works.map(({ hasBegun }) => hasBegun())).toEqual([true, true, false]);
    expect(gate.meter).toEqual({ active: 2, waiting: 1, heldUntilMs: null });
    works[0]?.release.resolve(undefined);
    await settled();
    expect(works[2]?.hasBegun()).toBe(true);
    for (const { release } of works) release.resolve(undefined);
    await Promise.all(works.map(({ done }) => done));
    expect(gate.meter).toEqual({ active: 0, waiting: 0, heldUntilMs: null });
    expect(seen).toContain('2/1');
    expect(seen.at(-1)).toBe('0/0');
    stop();
  });

  it('lets more through as soon as more are allowed', async () => {
    const gate = createRequestGate({ maxRequests: 1, clock: createManualTime() });
    const works = [1, 2].map(() => holdOpen(gate));
    gate.setMaxRequests(2);
    await settled();
    expect(works[1]?.hasBegun()).toBe(true);
    for (const { release, done } of works) {
      release.resolve(undefined);
      await done;
    }
  });

  it('goes on after work that fails', async () => {
    const gate = createRequestGate({ maxRequests: 1, clock: createManualTime() });
    await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await gate.run(() => Promise.resolve('yes'))).toBe('yes');
  });

  it('is held for everybody, and waiting for it can be cancelled', async () => {
    const time = createManualTime();
    const gate = createRequestGate({ clock: time, wait: time.wait });
    gate.hold(20_000);
    gate.hold(5_000);
    const controller = new AbortController();
    const cancelled = failureOf(gate.run(() => Promise.resolve(), controller.signal));
    const patient = gate.run(() => Promise.resolve('through'));
    expect(gate.meter).toEqual({ active: 0, waiting: 2, heldUntilMs: 20_000 });
    controller.abort();
    expect((await cancelled).code).toBe('cancelled');
    await time.advance(19_999);
    expect(gate.meter).toEqual({ active: 0, waiting: 1, heldUntilMs: 20_000 });
    await time.advance(1);
    expect(await patient).toBe('through');
    expect(gate.meter.heldUntilMs).toBeNull();
  });

  it('stays shut when the server asks for more patience meanwhile', async () => {
    const time = createManualTime();
    const gate = createRequestGate({ clock: time, wait: time.wait });
    gate.hold(5_000);
    const patient = holdOpen(gate);
    gate.hold(20_000);
    await time.advance(5_000);
    expect(patient.hasBegun()).toBe(false);
    await time.advance(15_000);
    expect(patient.hasBegun()).toBe(true);
    patient.release.resolve(undefined);
    await patient.done;
  });

  it.each([-5, 5])('is held as long as the server asked for when the clock is put by %i h', async (hours) => {
    const time = createManualTime(20 * 3_600_000);
    const gate = createRequestGate({ clock: time, wait: time.wait });
    gate.hold(20_000);
    const patient = holdOpen(gate);
    time.put(hours * 3_600_000);
    expect(gate.meter).toMatchObject({ waiting: 1, heldUntilMs: time.now() + 20_000 });
    await time.advance(19_999);
    const late = holdOpen(gate);
    await settled();
    expect([patient.hasBegun(), late.hasBegun()]).toEqual([false, false]);
    await time.advance(1);
    expect([patient.hasBegun(), late.hasBegun()]).toEqual([true, true]);
    for (const { release, done } of [patient, late]) {
      release.resolve(undefined);
      await done;
    }
  });

  it('leaves no timer behind when nobody waits any more', async () => {
    const time = createManualTime();
    const gate = createRequestGate({ clock: time, wait: time.wait });
    gate.hold(20_000);
    expect(time.timerCount()).toBe(0);
    const controller = new AbortController();
    const cancelled = failureOf(gate.run(() => Promise.resolve(), controller.signal));
    expect(time.timerCount()).toBe(1);
    controller.abort();
    await cancelled;
    expect(time.timerCount()).toBe(0);
  });

  it('says so at once instead of waiting longer than a minute, and never holds for a day', async () => {
    const time = createManualTime();
    const gate = createRequestGate({ clock: time, wait: time.wait });
    gate.hold(5_000);
    const early = failureOf(gate.run(() => Promise.resolve()));
    gate.hold(24 * 3600_000);
    for (const error of [await early, await failureOf(gate.run(() => Promise.resolve()))]) {
      expect(error.toData()).toMatchObject({
        code: 'http.too-many-requests',
        retryable: true,
        details: { retryAfterSeconds: 600 },
      });
    }
    await time.advance(600_000);
    expect(await gate.run(() => Promise.resolve('through'))).toBe('through');
  });
});

describe('Retry-After', () => {
  it.each([429, 503])('of a %i holds back every client of the account, and no other', async (status) => {
    const time = createManualTime();
    let isRefusing = true;
    const catalog = await serve(() =>
      isRefusing ? { status, headers: { 'retry-after': '30' } } : { body: {} },
    );
    const other = await serve(() => ({ status, headers: { 'retry-after': '40' } }));
    const gate = createRequestGate({ clock: time, wait: time.wait });
    const clientFor = (origin: string | null, ownGate?: RequestGate) =>
      createHttpClient({
        credentials: origin === null ? null : { origin, accessToken: () => Promise.resolve(null) },
        gate: ownGate ?? gate,
        clock: time,
        logger: silentLogger,
        wait: time.wait,
      });
    const [one, two] = [clientFor(catalog.origin), clientFor(catalog.origin)];

    // Storage that is busy is no reason to leave the catalog alone.
    (await one.open({ url: `${other.origin}/file`, auth: 'none' })).body.destroy();
    expect(gate.meter.heldUntilMs).toBeNull();

    const first = one.send({ url: `${catalog.origin}/first`, auth: 'catalog' });
    await time.untilTimers(1);
    expect(gate.meter.heldUntilMs).toBe(30_000);
    isRefusing = false;
    const second = two.send({ url: `${catalog.origin}/second`, auth: 'catalog' });
    await time.advance(29_999);
    expect(catalog.requests.map(({ target }) => target)).toEqual(['/first']);
    expect(gate.meter).toMatchObject({ active: 0, waiting: 2 });

    const elsewhere = clientFor(null, createRequestGate({ clock: time }));
    expect((await elsewhere.send({ url: `${catalog.origin}/elsewhere`, auth: 'catalog' })).status).toBe(200);

    await time.advance(1);
    expect((await Promise.all([first, second])).map((answer) => answer.status)).toEqual([200, 200]);
  });
});
