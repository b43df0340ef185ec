import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLibrary } from '../open-library.ts';
import { makeFolder } from './testing/fill-library.ts';
import { outlastOthers, refuseOthers, watchOthers } from './watch-others.ts';

const inUse = expect.objectContaining({ code: 'library.in-use' }) as Error;

it('notices who has a library open, and what was written meanwhile by who has closed it', async () => {
  const filePath = join(makeFolder(), 'library.sqlite');
  refuseOthers(filePath);
  await openLibrary({ filePath }).close();
  refuseOthers(filePath);

  const watch = watchOthers(filePath);
  expect(watch.wasWritten()).toBe(false);
  const other = openLibrary({ filePath });
  await other.saveCollections([{ id: 'c' }], 0);
  await other.close();
  expect(watch.wasWritten()).toBe(true);
  expect(() => watch.proveUnused()).toThrow(inUse);
  watch.close();

  const idle = openLibrary({ filePath });
  expect(() => refuseOthers(filePath)).toThrow(inUse);
  await idle.close();
  refuseOthers(filePath);
});

it('takes nobody for a user of what is no library', () => {
  const filePath = join(makeFolder(), 'library.sqlite');
  writeFileSync(filePath, 'no library'.repeat(100));
  expect(() => refuseOthers(filePath)).not.toThrow();
});

it('outlasts who only looks something up', async () => {
  const filePath = join(makeFolder(), 'library.sqlite');
  const reader = openLibrary({ filePath });
  let tries = 0;
  await outlastOthers(async () => {
    tries += 1;
    if (tries === 2) await reader.close();
    refuseOthers(filePath);
  });
  expect(tries).toBe(2);
});
