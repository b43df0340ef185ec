import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The path of a file in a folder that ends with the test. */
export function inFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'swath-basemap-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}
