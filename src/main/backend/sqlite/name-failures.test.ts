import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { explainFailure } from './failure-of.ts';
import { nameFailures } from './name-failures.ts';

it('says of a store’s file that it is full, and leaves other errors as they are', () => {
  const database = new Database(':memory:');
  onTestFinished(() => void database.close());
  database.exec('CREATE TABLE note (text TEXT UNIQUE)');
  const insert = database.prepare('INSERT INTO note VALUES (?)');
  const count = database.prepare<[], number>('SELECT count(*) FROM note').pluck();
  const store = nameFailures(
    { add: (text: string) => void insert.run(text), count: () => count.get() },
    { filePath: '/data/notebook.sqlite', name: 'notebook' },
  );
  store.add('one');
  expect(() => store.add('one')).toThrow(expect.objectContaining({ code: 'SQLITE_CONSTRAINT_UNIQUE' }));
  database.pragma('max_page_count = 4');
  expect(() => store.add('x'.repeat(100_000))).toThrow(
    expect.objectContaining({
      code: 'library.disk-full',
      message: 'There is no room for the notebook /data/notebook.sqlite',
    }),
  );
  expect(store.count()).toBe(1);
});

it.each([
  ['SQLITE_FULL', 'library.disk-full'],
  ['SQLITE_IOERR_SHMSIZE', 'library.disk-full'],
  ['SQLITE_BUSY_SNAPSHOT', 'library.in-use'],
  ['SQLITE_CORRUPT_INDEX', 'library.corrupt'],
  ['SQLITE_READONLY_DIRECTORY', 'library.read-only'],
])('says what %s means where nobody names the file', (code, failure) => {
  expect(explainFailure(new Database.SqliteError('disk I/O error', code))).toMatchObject({ code: failure });
});

it('explains nothing else', () => {
  for (const other of [new Database.SqliteError('x', 'SQLITE_ERROR'), new Error('x'), null])
    expect(explainFailure(other)).toBe(other);
});
