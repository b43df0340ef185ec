import { expect, it } from 'vitest';
import { describeNotebookRecovery, describeOutcome } from './storage-words.ts';

const recovery = { damagedPath: '/data/notebook.damaged.sqlite', atMs: 0 };

it('says what of a damaged notebook begins anew, and nothing of what was not in it', () => {
  const all = describeNotebookRecovery({
    ...recovery,
    counts: { searches: 2, looks: 1, rules: 1, jobs: 1, areas: 0, pins: 1 },
  });
  expect(all).toContain('2 saved searches, 0 areas, 1 pin, 1 rule and 1 job of Take offline');
  expect(all).toContain('Rules count what is there at their next run as known');
  expect(all).toContain('since your last look in 1 saved search isn’t known any more');
  expect(all).toContain('may be called new once more');
  const few = describeNotebookRecovery({
    ...recovery,
    counts: { searches: 0, looks: 0, rules: 0, jobs: 0, areas: 3, pins: 0 },
  });
  expect(few).not.toMatch(/Rules|last look|have seen|once more/);
});

it('says of moved libraries what stays in the old folder', () => {
  const moved = (leftCount: number) =>
    describeOutcome({
      ...{ kind: 'move', connectionId: null, state: 'done', error: null, atMs: 0, canUndo: true },
      facts: { from: '/mnt/card', to: '/home/library', libraryCount: 2, leftCount },
    });
  expect(moved(0)).toBe('2 libraries moved to /home/library.');
  expect(moved(2)).toContain('The old files in /mnt/card can’t be removed now');
});
