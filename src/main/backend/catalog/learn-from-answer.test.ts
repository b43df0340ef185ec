import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { AppError } from '#shared/errors/app-error.ts';
import { offeredOperators, type CatalogFact } from '#shared/search/catalog-facts.ts';
import { silentLogger } from '../ports.ts';
import { keepWireHabits } from '../notebook/fact-store.ts';
import { openNotebook, type Notebook } from '../notebook/notebook.ts';
import { learnFromAnswer } from './learn-from-answer.ts';

const folders: string[] = [];
const notebooks: Notebook[] = [];

afterEach(() => {
  for (const notebook of notebooks.splice(0)) notebook.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'swath-facts-'));
  folders.push(folder);
  return folder;
}

function open(folder: string): Notebook {
  const notebook = openNotebook({ filePath: join(folder, 'notebook.sqlite') });
  notebooks.push(notebook);
  return notebook;
}

function refuse(reason: string): Promise<never> {
  return Promise.reject(new AppError('stac.query-rejected', 'refused', { details: { reason, status: 400 } }));
}

it('offers an operator that was accepted, for that catalog alone, and also after a restart', async () => {
  const folder = makeFolder();
  const notebook = open(folder);
  const note = (facts: readonly CatalogFact[]) => notebook.facts.learn('a', facts, 1);
  await learnFromAnswer({ query: { gsd: { lte: 10 } } }, Promise.resolve('page'), note);
  notebook.close();
  notebooks.length = 0;
  const { facts } = open(folder);
  expect(offeredOperators(facts.list('a'), 'view:sun_elevation', 'number')).toContain('lte');
  expect(offeredOperators(facts.list('b'), 'view:sun_elevation', 'number')).not.toContain('lte');
});

it('names what was refused, and doesn’t offer it any more', async () => {
  const { facts } = open(makeFolder());
  const note = (learnt: readonly CatalogFact[]) => facts.learn('a', learnt, 1);
  await learnFromAnswer({ query: { gsd: { lte: 10 } } }, Promise.resolve('page'), note);
  const refused = learnFromAnswer({ query: { gsd: { lte: 10 } } }, refuse('no'), note);
  await expect(refused).rejects.toMatchObject({
    code: 'stac.query-rejected',
    details: { property: 'gsd', operator: 'lte', reason: 'no' },
  });
  expect(offeredOperators(facts.list('a'), 'view:sun_elevation', 'number')).toEqual(['gt', 'lt', 'eq']);
});

it('learns nothing from an answer that says nothing about the question', async () => {
  const { facts } = open(makeFolder());
  const note = (learnt: readonly CatalogFact[]) => facts.learn('a', learnt, 1);
  const offline = Promise.reject(new AppError('network.offline', 'away'));
  await expect(learnFromAnswer({ query: { gsd: { lte: 10 } } }, offline, note)).rejects.toThrow('away');
  expect(facts.list('a')).toEqual([]);
});

it('tells when something new was learnt, and only then', () => {
  const { facts } = open(makeFolder());
  let count = 0;
  facts.onChange(() => (count += 1));
  const fact: CatalogFact = { kind: 'order', name: 'datetime asc', isAccepted: false };
  facts.learn('a', [fact], 1);
  facts.learn('a', [fact], 2);
  facts.learn('a', [{ ...fact, isAccepted: true }], 3);
  expect([count, facts.list('a')]).toEqual([2, [{ ...fact, isAccepted: true }]]);
});

it('remembers over a restart how a catalog wants its searches written', () => {
  const folder = makeFolder();
  const about = { connectionId: 'a', now: () => 1, logger: silentLogger };
  const before = open(folder);
  const habits = keepWireHabits(before.facts, about);
  expect(habits.has('standard-interval')).toBe(false);
  habits.learn('standard-interval');
  before.close();
  notebooks.length = 0;
  const { facts } = open(folder);
  expect(keepWireHabits(facts, about).has('standard-interval')).toBe(true);
  expect(keepWireHabits(facts, about).has('get-only')).toBe(false);
  expect(keepWireHabits(facts, { ...about, connectionId: 'b' }).has('standard-interval')).toBe(false);
  facts.forget('a');
  expect(keepWireHabits(facts, about).has('standard-interval')).toBe(false);
});

it('goes on with what it learnt when that can’t be kept', () => {
  const notebook = open(makeFolder());
  const { facts } = notebook;
  const learn = () => {
    throw new Error('disk full');
  };
  const habits = keepWireHabits(
    { ...facts, learn },
    { connectionId: 'a', now: () => 1, logger: silentLogger },
  );
  habits.learn('get-only');
  expect(habits.has('get-only')).toBe(true);
});
