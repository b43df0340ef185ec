import type { PowerMonitor } from 'electron';
import { expect, it, vi } from 'vitest';
import type { SystemEvent } from '../backend/ports.ts';
import { createElectronSystem } from './system-port.ts';
import { net, powerMonitor, powerSaveBlocker, record } from './testing/electron-stand-in.ts';

function open() {
  return createElectronSystem({
    powerMonitor: powerMonitor as unknown as PowerMonitor,
    powerSaveBlocker,
    net,
    host: { read: () => Promise.resolve({ isMetered: true, isOnBattery: null }) },
  });
}

it('keeps the computer awake once, however often it is asked, and lets it go', () => {
  const system = open();
  system.keepAwake(true);
  system.keepAwake(true);
  expect([...record.sleepBlockers.values()]).toEqual(['prevent-app-suspension']);
  system.keepAwake(false);
  system.keepAwake(false);
  expect(record.sleepBlockers.size).toBe(0);
});

it('tells of sleep, power and network until nobody listens', () => {
  vi.useFakeTimers();
  const events: SystemEvent[] = [];
  const stop = open().onEvent((event) => events.push(event));
  for (const name of ['suspend', 'resume', 'on-battery', 'on-ac']) powerMonitor.emit(name);
  record.isOnline = false;
  vi.advanceTimersByTime(5000);
  vi.advanceTimersByTime(5000);
  expect(events).toEqual(['suspend', 'resume', 'power', 'power', 'network']);
  stop();
  powerMonitor.emit('suspend');
  record.isOnline = true;
  vi.advanceTimersByTime(60_000);
  expect(events).toHaveLength(5);
  vi.useRealTimers();
});

it('asks Electron for the power, and the host for what Electron does not know', async () => {
  record.isOnBattery = true;
  expect(await open().read()).toEqual({ isOnBattery: true, isMetered: true });
});
