import { expect, it } from 'vitest';
import { createGatheredTasks } from './gathered-tasks.ts';

it('does together what comes while a key is worked on, and other keys meanwhile', async () => {
  const gates: (() => void)[] = [];
  const rounds: string[] = [];
  const tasks = createGatheredTasks<number>(async (key, items) => {
    rounds.push(`${key} ${items.join()}`);
    await new Promise<void>((resolve) => void gates.push(resolve));
  });
  const first = tasks.run('a', 1);
  await Promise.resolve();
  const rest = [tasks.run('a', 2), tasks.run('a', 3), tasks.run('b', 4)];
  await Promise.resolve();
  expect(rounds).toEqual(['a 1', 'b 4']);
  gates[0]?.();
  await first;
  gates[1]?.();
  await rest[2];
  await Promise.resolve();
  expect(rounds).toEqual(['a 1', 'b 4', 'a 2,3']);
  gates[2]?.();
  await Promise.all(rest);
});

it('tells of a failure those whom it concerns, and goes on', async () => {
  const tasks = createGatheredTasks<boolean>((_, items) =>
    items.includes(true) ? Promise.reject(new Error('full')) : Promise.resolve(),
  );
  await expect(tasks.run('a', true)).rejects.toThrow('full');
  await expect(tasks.run('a', false)).resolves.toBeUndefined();
});
