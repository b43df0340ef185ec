import { describe, expect, it } from 'vitest';
import { createManualTime } from '../testing/manual-time.ts';
import { createHosts } from './hosts.ts';

const origin = 'https://storage.example';
const forever = new AbortController().signal;

function know(mostConnections = 4) {
  const time = createManualTime();
  return { time, hosts: createHosts({ timers: time.timers, random: () => 1, mostConnections }) };
}

describe('what is known of a server', () => {
  it('gives it no more connections than it may have, in the order in which they were wanted', async () => {
    const { hosts } = know(2);
    const [first] = await Promise.all([hosts.connect(origin, forever), hosts.connect(origin, forever)]);
    expect(hosts.hasRoom(origin)).toBe(false);
    const order: string[] = [];
    const third = hosts.connect(origin, forever).then((release) => {
      order.push('third');
      return release;
    });
    const gone = new AbortController();
    const cancelled = hosts.connect(origin, gone.signal);
    gone.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    await hosts.connect('https://other.example', forever);
    expect(order).toEqual([]);
    first();
    first();
    (await third)();
    expect(order).toEqual(['third']);
    expect(hosts.hasRoom(origin)).toBe(true);
  });

  it('lets those in line in as soon as it may have more again, and not only when another is done', async () => {
    const { time, hosts } = know(4);
    await Promise.all([hosts.connect(origin, forever), hosts.connect(origin, forever)]);
    hosts.noteBusy(origin, 1000);
    let admitted = 0;
    const inLine = [1, 2, 3].map(() => hosts.connect(origin, forever).then(() => (admitted += 1)));
    time.advance(119_000);
    await Promise.resolve();
    expect(admitted).toBe(0);
    time.advance(2000);
    await Promise.resolve();
    expect(admitted).toBe(1);
    time.advance(60_000);
    await Promise.resolve();
    expect(admitted).toBe(2);
    expect(inLine).toHaveLength(3);
  });

  it('lets all its transfers pause when it asks for that, however the clock is put', () => {
    const { time, hosts } = know();
    hosts.noteBusy(origin, 7000);
    time.setClock(time.clock.now() + 86_400_000);
    expect(hosts.pauseLeftMs(origin)).toBe(7000);
    expect(hosts.pauseLeftMs('https://other.example')).toBe(0);
    time.advance(7000);
    expect(hosts.pauseLeftMs(origin)).toBe(0);
    expect(hosts.noteBusy(origin, 0)).toBe(1000);
    time.advance(1000);
    expect(hosts.noteBusy(origin, 999_999_000)).toBe(3_600_000);
  });

  it('pauses longer each time when it does not say how long', () => {
    const { time, hosts } = know();
    const pauses = [1, 2, 3, 4, 5, 6, 7].map(() => {
      const pauseMs = hosts.noteBusy(origin, null);
      // Another request that was on its way.
      expect(hosts.noteBusy(origin, null)).toBe(pauseMs);
      time.advance(pauseMs);
      return pauseMs / 1000;
    });
    expect(pauses).toEqual([10, 20, 40, 80, 160, 300, 300]);
    hosts.noteAnswer(origin);
    expect(hosts.noteBusy(origin, null)).toBe(10_000);
  });

  it('believes less and less a server that asks for a moment again and again', () => {
    const { time, hosts } = know();
    const pauses = Array.from({ length: 12 }, () => {
      const pauseMs = hosts.noteBusy(origin, 0);
      time.advance(pauseMs);
      return pauseMs / 1000;
    });
    expect(pauses).toEqual([1, 1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
    expect(hosts.noteBusy(origin, 600_000)).toBe(600_000);
    hosts.noteAnswer(origin);
    time.advance(600_000);
    expect(hosts.noteBusy(origin, 0)).toBe(1000);
  });

  it('halves the connections of a busy one, and gives them back one a minute', async () => {
    const { time, hosts } = know(8);
    await Promise.all(Array.from({ length: 8 }, () => hosts.connect(origin, forever)));
    hosts.noteBusy(origin, 1000);
    expect(hosts.mostConnections(origin)).toBe(4);
    hosts.noteBusy(origin, 1000);
    expect(hosts.mostConnections(origin)).toBe(4);
    time.advance(1000);
    hosts.noteBusy(origin, 1000);
    expect(hosts.mostConnections(origin)).toBe(2);
    time.advance(60_000);
    expect(hosts.mostConnections(origin)).toBe(3);
    time.advance(3_600_000);
    expect(hosts.mostConnections(origin)).toBe(8);
  });

  it('remembers that one refuses more than two connections', async () => {
    const { time, hosts } = know(4);
    const open = await Promise.all(Array.from({ length: 4 }, () => hosts.connect(origin, forever)));
    expect(hosts.lowerAfterRefusal(origin)).toBe(true);
    time.advance(86_400_000);
    expect(hosts.mostConnections(origin)).toBe(2);
    for (const release of open) release();
  });

  it('is asked for ranges again ten minutes after one was wrong', () => {
    const { time, hosts } = know();
    hosts.noteWrongRange(origin);
    time.advance(599_000);
    expect([hosts.mayUseRanges(origin), hosts.mayUseRanges('https://other.example')]).toEqual([false, true]);
    time.advance(1000);
    expect(hosts.mayUseRanges(origin)).toBe(true);
  });

  it('has as many as ever again where one is refused that is alone', async () => {
    const { hosts } = know(4);
    const open = await Promise.all(Array.from({ length: 4 }, () => hosts.connect(origin, forever)));
    hosts.lowerAfterRefusal(origin);
    for (const release of open) release();
    await hosts.connect(origin, forever);
    expect(hosts.lowerAfterRefusal(origin)).toBe(false);
    expect(hosts.mostConnections(origin)).toBe(4);
  });

  it('spreads retries beyond the twentieth over time', () => {
    const { time, hosts } = know();
    const delays = Array.from({ length: 23 }, () => hosts.takeRetry(origin));
    expect(delays.slice(0, 20)).toEqual(Array(20).fill(0));
    expect(delays.slice(20)).toEqual([3000, 6000, 9000]);
    time.advance(12_000);
    expect(hosts.takeRetry(origin)).toBe(0);
    expect(hosts.takeRetry(origin)).toBe(3000);
  });
});
