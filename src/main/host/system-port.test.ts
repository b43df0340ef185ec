import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHostSystem, readPowerSupplies } from './system-port.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-power-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function supply(name: string, files: Record<string, string>): void {
  mkdirSync(join(folder, name));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, name, file), `${text}\n`);
}

it('knows a laptop on battery', async () => {
  supply('AC', { type: 'Mains', online: '0' });
  supply('BAT0', { type: 'Battery', status: 'Discharging', scope: 'System' });
  expect(await readPowerSupplies(folder)).toBe(true);
});

it('knows a laptop on its charger, even a weak one', async () => {
  supply('ucsi', { type: 'USB', online: '1' });
  supply('BAT0', { type: 'Battery', status: 'Discharging' });
  expect(await readPowerSupplies(folder)).toBe(false);
});

it('does not take the battery of a mouse for the computer', async () => {
  supply('hid-mouse', { type: 'Battery', status: 'Discharging', scope: 'Device' });
  expect(await readPowerSupplies(folder)).toBeNull();
});

it('says nothing where the system does not', async () => {
  expect(await readPowerSupplies(join(folder, 'missing'))).toBeNull();
  const system = createHostSystem({ platform: 'sunos' });
  expect(await system.read()).toEqual({ isOnBattery: null, isMetered: null });
  system.keepAwake(true);
  system.keepAwake(false);
});
