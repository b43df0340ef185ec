import { describe, expect, it } from 'vitest';
import { createManualTime } from '../testing/manual-time.ts';
import { createThrottle } from './throttle.ts';

const chunkBytes = 64 * 1024;

function limit(bytesPerSecond: number | null) {
  const time = createManualTime();
  const throttle = createThrottle(time.timers, bytesPerSecond);
  // Takes chunk after chunk, as a body does.
  function open(connections = 1) {
    const controller = new AbortController();
    const file = { bytes: 0, close: () => controller.abort(), error: null as unknown };
    const read = async (): Promise<void> => {
      while (!controller.signal.aborted) {
        await throttle.take(chunkBytes, controller.signal);
        file.bytes += chunkBytes;
      }
    };
    for (let count = 0; count < connections; count += 1)
      read().catch((error: unknown) => (file.error = error));
    return file;
  }
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 10) {
      time.advance(10);
      await settle();
    }
  }
  return { time, throttle, open, pass };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 1000; turn += 1) await Promise.resolve();
}

describe('the bandwidth of all transfers', () => {
  it('gives six files what it may, in equal parts', async () => {
    const { open, pass } = limit(5_000_000);
    const files = Array.from({ length: 6 }, () => open());
    await pass(10_000);
    const sum = files.reduce((total, { bytes }) => total + bytes, 0);
    expect(sum).toBeGreaterThan(47_500_000);
    expect(sum).toBeLessThan(52_500_000);
    for (const { bytes } of files) expect(Math.abs(bytes - sum / 6)).toBeLessThan(2 * chunkBytes);
    for (const file of files) file.close();
    await settle();
  });

  it('gives a file of four connections no more than one of one', async () => {
    const { open, pass } = limit(2_000_000);
    const [one, four] = [open(1), open(4)];
    await pass(10_000);
    expect(Math.abs(one.bytes - four.bytes)).toBeLessThan(8 * chunkBytes);
    one.close();
    four.close();
    await settle();
  });

  it('is kept from the first second on, however long nobody asked', async () => {
    const { open, pass } = limit(5_000_000);
    await pass(5000);
    const files = [open(), open()];
    await pass(1000);
    const sum = files.reduce((total, { bytes }) => total + bytes, 0);
    expect(sum).toBeLessThan(5_500_000);
    for (const file of files) file.close();
    await settle();
  });

  it('is used up at a high rate too', async () => {
    const { open, pass } = limit(200_000_000);
    const files = Array.from({ length: 3 }, () => open());
    await pass(2000);
    const sum = files.reduce((total, { bytes }) => total + bytes, 0);
    expect(sum).toBeGreaterThan(380_000_000);
    expect(sum).toBeLessThan(440_000_000);
    for (const file of files) file.close();
    await settle();
  });

  it('holds for thousands of small files one after the other', async () => {
    const { time, throttle } = limit(1_000_000);
    let bytes = 0;
    const read = async () => {
      for (let file = 0; file < 1000; file += 1) {
        await throttle.take(20_000, new AbortController().signal);
        bytes += 20_000;
      }
    };
    void read();
    for (let passed = 0; passed < 5000; passed += 10) {
      time.advance(10);
      await settle();
    }
    expect(bytes).toBeLessThan(5_400_000);
    expect(bytes).toBeGreaterThan(4_700_000);
  });

  it('is felt within a second when it is set, changed or taken away', async () => {
    const { throttle, open, pass } = limit(1_000_000);
    const file = open();
    await pass(5000);
    throttle.setRate(100_000);
    await pass(1000);
    const before = file.bytes;
    await pass(10_000);
    expect(file.bytes - before).toBeGreaterThan(900_000);
    expect(file.bytes - before).toBeLessThan(1_100_000);
    throttle.setRate(4_000_000);
    const slow = file.bytes;
    await pass(1000);
    expect(file.bytes - slow).toBeGreaterThan(3_500_000);
    const waiting = throttle.take(1e9, new AbortController().signal);
    throttle.setRate(null);
    file.close();
    await waiting;
    expect(throttle.isThrottling).toBe(false);
  });

  it('lets nobody run ahead after a quiet time', async () => {
    const { time, open, pass } = limit(1_000_000);
    time.advance(60_000);
    const file = open();
    await pass(1000);
    expect(file.bytes).toBeLessThan(1_300_000);
    file.close();
    await settle();
  });

  it('lets a file that is stopped go at once, and the others have its part', async () => {
    const { throttle, open, pass } = limit(1_000_000);
    const [left, stays] = [open(), open()];
    await pass(1000);
    left.close();
    await settle();
    expect(left.error).toMatchObject({ code: 'cancelled' });
    const before = stays.bytes;
    await pass(5000);
    expect(stays.bytes - before).toBeGreaterThan(4_700_000);
    stays.close();
    await settle();
    expect(throttle.isThrottling).toBe(false);
  });
});
