import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqlite } from '../../sqlite/open-sqlite.ts';
import { migrations } from './migrations.ts';
import { openQueue } from './queue-file.ts';

let folder: string;
let filePath: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-answers-'));
  filePath = join(folder, 'transfers.sqlite');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('does a step once for each key, through restarts, and without a key each time', () => {
  let doneCount = 0;
  const step = () => ({ count: ++doneCount });
  for (let start = 0; start < 2; start += 1) {
    const { answers, close } = openQueue(filePath);
    expect([answers.once('a', step), answers.once('a', step), answers.find('a')]).toEqual(
      Array(3).fill({ count: 1 }),
    );
    close();
  }
  const { answers, close } = openQueue(filePath);
  expect(answers.find('b')).toBeNull();
  expect(answers.once('b', step)).toEqual({ count: 2 });
  expect([answers.once(undefined, step), answers.once(undefined, step)]).toEqual([
    { count: 3 },
    { count: 4 },
  ]);
  close();
});

it('keeps no answer of a step that came to nothing, and nothing of that step', () => {
  const { answers, facts, close } = openQueue(filePath);
  const breakOff = () => {
    facts.write('isPaused', true);
    throw new Error('broken off');
  };
  expect(() => answers.once('a', breakOff)).toThrow('broken off');
  expect([facts.read('isPaused'), answers.find('a')]).toEqual([false, null]);
  expect(answers.once('a', () => 'done')).toBe('done');
  close();
});

it('forgets the oldest of more than a thousand answers', () => {
  const { answers, transfers, close } = openQueue(filePath);
  transfers.together(() => {
    for (let number = 1; number <= 1001; number += 1) answers.once(`key ${number}`, () => ({ number }));
  });
  expect(['key 1', 'key 2', 'key 1001'].map((key) => answers.find(key))).toEqual([
    null,
    { number: 2 },
    { number: 1001 },
  ]);
  close();
});

it('still knows the orders that were placed by a key before other answers were kept', () => {
  const earlier = openSqlite(filePath, {
    name: 'download queue',
    applicationId: 0x53575451,
    migrations: migrations.slice(0, 9),
    pragmas: [],
    isExclusive: true,
  });
  earlier.exec(`INSERT INTO placed_order (order_key, answer_json) VALUES ('a', '{"downloadId":7}')`);
  earlier.close();
  const { answers, close } = openQueue(filePath);
  expect(answers.find('a')).toEqual({ downloadId: 7 });
  expect(answers.once('b', () => 'another')).toBe('another');
  close();
});
