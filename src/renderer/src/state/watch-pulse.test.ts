import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchPulse } from './watch-pulse.ts';

const startMs = Date.UTC(2026, 0, 1);
const told: (number | null)[] = [];
let answers: (() => void)[] = [];
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers({ now: startMs });
  told.length = 0;
  answers = [];
  end = watchPulse({
    ask: () => new Promise<void>((resolve) => answers.push(resolve)),
    onSilence: (sinceMs) => told.push(sinceMs),
  });
});

afterEach(() => {
  end();
  vi.useRealTimers();
});

async function answer(): Promise<void> {
  answers.pop()?.();
  await vi.advanceTimersByTimeAsync(0);
}

it('says nothing of a program that answers', async () => {
  for (let beat = 0; beat < 10; beat += 1) {
    await vi.advanceTimersByTimeAsync(4000);
    await answer();
  }
  expect(told).toEqual([]);
});

it('says once since when a program is silent, asks it once, and says that it is back', async () => {
  await vi.advanceTimersByTimeAsync(4000);
  await answer();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual([startMs + 4000]);
  expect(answers).toHaveLength(1);
  await answer();
  expect(told).toEqual([startMs + 4000, null]);
  await vi.advanceTimersByTimeAsync(4000);
  await answer();
  expect(told).toHaveLength(2);
});

it('takes a computer that slept for no silence', async () => {
  await vi.advanceTimersByTimeAsync(4000);
  // One timer is due, however long it was.
  vi.setSystemTime(startMs + 3_600_000);
  await vi.advanceTimersByTimeAsync(4000);
  await answer();
  expect(told).toEqual([]);
});

it('asks no more once it is ended', async () => {
  end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(answers).toEqual([]);
  expect(told).toEqual([]);
});
