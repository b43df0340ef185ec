import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { isAppError } from '#shared/errors/app-error.ts';
import { silentLogger, systemClock } from '../../ports.ts';
import { openDatabase } from '../open-database.ts';
import { compact } from './compact.ts';
import { LibraryKeeper } from './library-keeper.ts';
import { makeFolder, makeLibrary, withFile } from './testing/fill-library.ts';
import { anItem } from './testing/make-items.ts';
import { verifyLibrary } from './verify-library.ts';
import { unwatched } from './work-watch.ts';

const itemCount = 300;

/** A library of large pictures, of which most was evicted. */
async function openWithHoles(): Promise<{ keeper: LibraryKeeper; filePath: string }> {
  const filePath = join(makeFolder(), 'library-x.sqlite');
  await makeLibrary(filePath, [{ collectionId: 'c', from: 0, count: itemCount, fetchedAtMs: 5000 }]);
  const keeper = new LibraryKeeper({ filePath, clock: systemClock, logger: silentLogger });
  onTestFinished(() => keeper.close());
  const picture = { mediaType: 'image/png', bytes: randomBytes(120_000) };
  const refs = Array.from({ length: itemCount }, (_, number) => anItem('c', number).ref);
  await Promise.all(refs.map((ref) => keeper.library.saveThumbnail(ref, picture, 5000)));
  const itemPks = refs.map((_, index) => index + 1).filter((pk) => pk % 3 !== 0);
  await keeper.library.upkeep.evict({ itemPks, untilMs: 6000 });
  // What is done in pauses is done before compacting where it wasn't yet.
  await keeper.library.catchUp();
  await keeper.library.upkeep.checkpoint();
  return { keeper, filePath };
}

/** All rows of all tables and the whole schema, but for where they lie in the file. */
function readAll(filePath: string): Record<string, unknown> {
  return withFile<Record<string, unknown>>(filePath, (database) => {
    const schema = database
      .prepare<[], { type: string; name: string; sql: string | null }>(
        'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name',
      )
      .all();
    const tables = schema.filter(({ type, sql }) => type === 'table' && !sql?.includes('VIRTUAL'));
    const numbers = ['application_id', 'user_version', 'page_size', 'journal_mode'].map((name) =>
      String(database.pragma(name, { simple: true })),
    );
    const rows = tables.map(({ name }): [string, unknown] => [
      name,
      database.prepare(`SELECT * FROM "${name}"`).all(),
    ]);
    return { schema, numbers, ...Object.fromEntries<unknown>(rows) };
  });
}

function expectSound(filePath: string): void {
  const { problems } = withFile(filePath, (database) =>
    verifyLibrary(database, { isThorough: true, watch: unwatched }),
  );
  expect(problems).toEqual([]);
}

it('gives free pages back, tells how far it is, and leaves every row as it was', async () => {
  const { keeper, filePath } = await openWithHoles();
  const before = { size: statSync(filePath).size, content: readAll(filePath) };
  const fractions: number[] = [];
  await keeper.library.upkeep.compact({ onProgress: (fraction) => fractions.push(fraction) });
  expect(statSync(filePath).size).toBeLessThan(before.size * 0.5);
  expect(readAll(filePath)).toEqual(before.content);
  expect(fractions.length).toBeGreaterThan(5);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(fractions.at(-1)).toBe(1);
  // Who had it open goes on with it.
  await keeper.library.saveItems([anItem('new', 7)], 9000);
  expect(keeper.library.item(anItem('new', 7).ref)).not.toBe(null);
  expect(keeper.library.findText('new-000007', { limit: 5 })).toEqual([anItem('new', 7).ref]);
  const found = await keeper.library.engine.search({ ids: [anItem('c', 2).ref.itemId] }, { limit: 5 });
  expect(found.items).toEqual([anItem('c', 2)]);
  expectSound(filePath);
});

it('does first what would be done in a pause after it, and leaves no free page', async () => {
  const { keeper, filePath } = await openWithHoles();
  for (let number = 0; number < 20; number += 1)
    await keeper.library.saveItems([anItem('new', number)], 9000);
  await keeper.library.upkeep.compact({});
  const compacted = readAll(filePath);
  await keeper.library.catchUp();
  expect(readAll(filePath)).toEqual(compacted);
  expect(keeper.library.upkeep.measure().freeBytes).toBe(0);
});

it.each([0, 0.3, 0.6, 0.9])('changes nothing when it is stopped at %d', async (moment) => {
  const { keeper, filePath } = await openWithHoles();
  const before = readAll(filePath);
  const stop = new AbortController();
  const compacting = keeper.library.upkeep.compact({
    signal: stop.signal,
    onProgress: (fraction) => fraction >= moment && stop.abort(),
  });
  // What is stopped as it ends has ended.
  await compacting.catch((thrown: unknown) => expect(thrown).toMatchObject({ code: 'cancelled' }));
  expect(readAll(filePath)).toEqual(before);
  expect(readdirSync(dirname(filePath)).filter((name) => name.includes('compacting'))).toEqual([]);
  await keeper.library.saveItems([anItem('new', 7)], 9000);
  expectSound(filePath);
});

it('loses nothing that another program writes just then', async () => {
  const { keeper, filePath } = await openWithHoles();
  await keeper.close();
  const database = openDatabase(filePath);
  const other = new Database(filePath, { timeout: 0 });
  onTestFinished(() => {
    other.close();
    database.close();
  });
  const insert = other.prepare('INSERT INTO upkeep_record (kind, at_ms, facts) VALUES (?, ?, ?)');
  let [writtenCount, isOver] = [0, false];
  const writeOn = (): void => {
    if (isOver) return;
    try {
      insert.run('note', writtenCount, '{}');
      writtenCount += 1;
    } catch (thrown) {
      expect(String(thrown)).toContain('locked');
    }
    setImmediate(writeOn);
  };
  setImmediate(writeOn);
  const outcomes: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    await compact(database, unwatched).then(
      () => outcomes.push('done'),
      (thrown: unknown) => outcomes.push(isAppError(thrown, 'library.in-use') ? 'in use' : String(thrown)),
    );
    // The other one has its turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
  isOver = true;
  expect(outcomes.filter((outcome) => outcome !== 'done' && outcome !== 'in use')).toEqual([]);
  expect(outcomes).toContain('in use');
  const keptCount = database.prepare("SELECT count(*) FROM upkeep_record WHERE kind = 'note'").pluck().get();
  expect([writtenCount > 0, keptCount]).toEqual([true, writtenCount]);
});

it('removes at its next start what a killed program left', async () => {
  const filePath = join(makeFolder(), 'library-x.sqlite');
  writeFileSync(`${filePath}.compacting`, 'half a copy');
  const keeper = new LibraryKeeper({ filePath, clock: systemClock, logger: silentLogger });
  await keeper.close();
  expect(existsSync(`${filePath}.compacting`)).toBe(false);
});
