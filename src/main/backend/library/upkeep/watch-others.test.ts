import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLibrary } from '../open-library.ts';
import { makeFolder } from './testing/fill-library.ts';
import { watchOthers } from './watch-others.ts';

it('notices who has a library open, and what was written meanwhile by who has closed it', async () => {
  const filePath = join(makeFolder(), 'library.sqlite');
  expect(watchOthers(filePath).end()).toEqual({ wasWritten: false });
  await openLibrary({ filePath }).close();
  expect(watchOthers(filePath).end()).toEqual({ wasWritten: false });

  const watch = watchOthers(filePath);
  const other = openLibrary({ filePath });
  await other.saveCollections([{ id: 'c' }], 0);
  await other.close();
  expect(watch.end()).toEqual({ wasWritten: true });

  const idle = openLibrary({ filePath });
  expect(() => watchOthers(filePath).end()).toThrow(expect.objectContaining({ code: 'library.in-use' }));
  await idle.close();
  expect(watchOthers(filePath).end()).toEqual({ wasWritten: false });
});

it('takes nobody for a user of what is no library', () => {
  const filePath = join(makeFolder(), 'library.sqlite');
  writeFileSync(filePath, 'no library'.repeat(100));
  expect(watchOthers(filePath).end()).toEqual({ wasWritten: false });
});
