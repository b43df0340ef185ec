import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isTaken, publishPart } from './publish.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-publish-'));
  writeFileSync(at('a.part'), 'new');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('publishPart', () => {
  it('gives the file its name and leaves no part', async () => {
    expect(await publishPart(at('a.part'), at('a.tif'))).toBe(true);
    expect(readFileSync(at('a.tif'), 'utf8')).toBe('new');
    expect(existsSync(at('a.part'))).toBe(false);
  });

  it('replaces nothing, not even a link to nowhere', async () => {
    writeFileSync(at('a.tif'), 'old');
    symlinkSync(at('nowhere'), at('b.tif'));
    expect(await publishPart(at('a.part'), at('a.tif'))).toBe(false);
    expect(await publishPart(at('a.part'), at('b.tif'))).toBe(false);
    expect(readFileSync(at('a.tif'), 'utf8')).toBe('old');
    expect(readFileSync(at('a.part'), 'utf8')).toBe('new');
    expect(existsSync(at('nowhere'))).toBe(false);
    expect(await isTaken(at('b.tif'))).toBe(true);
  });

  it('says so when the folder is gone', async () => {
    const error = await publishPart(at('a.part'), at('gone/a.tif')).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'transfer.destination-missing' });
  });
});
