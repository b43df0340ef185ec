import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqlite } from '../../sqlite/open-sqlite.ts';
import { migrations } from './migrations.ts';
import { openQueue } from './queue-file.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-runnable-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('where files are had from is known of a queue from before collections were noted', () => {
  const filePath = join(folder, 'transfers.sqlite');
  const before = openSqlite(filePath, {
    name: 'download queue',
    applicationId: 0x53575451,
    migrations: migrations.slice(0, 8),
    pragmas: [],
    isExclusive: true,
  });
  before.exec(`
    INSERT INTO download (download_id, connection_id, destination, link_mode, created_at_ms, queued_at_ms) VALUES
      (1, 'one', '/out', 'auto', 1, 1), (2, 'two', '/out', 'auto', 1, 1);
    INSERT INTO download_item (item_pk, download_id, collection_id, item_id, item) VALUES
      (1, 1, 's2', 'a', x''), (2, 1, 's1', 'b', x''), (3, 2, 's2', 'a', x'');
    INSERT INTO transfer (transfer_id, download_id, item_pk, asset_key, state, progress_at_ms, position, source_origin)
    VALUES
      (1, 1, 1, 'B01', 'done', 1, 1, NULL), (2, 1, 1, 'B02', 'queued', 1, 2, NULL),
      (3, 1, 2, 'vv', 'queued', 1, 3, 'https://storage.example'), (4, 2, 3, 'B01', 'queued', 1, 4, NULL),
      (5, 2, 3, 'B02', 'finalizing', 1, 5, NULL);`);
  before.close();
  const { runnable, close } = openQueue(filePath);
  const sources = runnable.sources();
  const of = (collectionId: string, connectionId: string) => ({
    origin: null,
    collection: { connectionId, collectionId },
  });
  expect(sources).toHaveLength(3);
  expect(sources).toEqual(
    expect.arrayContaining([
      expect.objectContaining(of('s2', 'one')),
      expect.objectContaining(of('s2', 'two')),
      expect.objectContaining({ origin: 'https://storage.example', collection: null }),
    ]),
  );
  const firstFrom = (...origins: (string | undefined)[]) =>
    runnable.first(
      sources.filter(({ origin, collection }) => origins.includes(origin ?? collection?.connectionId)),
      [2],
    );
  expect(firstFrom('one', 'two', 'https://storage.example')).toBe(3);
  expect(firstFrom('one', 'two')).toBe(4);
  // What only gets its name needs no server.
  expect(firstFrom()).toBe(5);
  close();
});
