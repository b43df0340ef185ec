import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

it('writes down what ended the program, without the token in it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-crash-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'swath.log');
  const program = `
    const { openLog } = await import('./src/main/backend/backend.ts');
    const { logCrashes } = await import('./src/main/host/log-crashes.ts');
    logCrashes(openLog(${JSON.stringify(file)}, { clock: { now: () => 0 } }));
    setTimeout(() => { throw new Error('lost it at https://b.example/f?Signature=c2VjcmV0'); });
  `;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', program]);
  expect(status).not.toBe(0);
  const line = readFileSync(file, 'utf8');
  expect(JSON.parse(line)).toMatchObject({ level: 'error', event: 'crashed' });
  expect(line).toContain('lost it at');
  expect(line).not.toContain('c2VjcmV0');
});
