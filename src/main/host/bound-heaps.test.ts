import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const module = new URL('./bound-heaps.ts', import.meta.url).href;

// Keeps much of what it makes for a while; gives the largest sizes of the space for new objects and of the heap, in MiB.
const work = `
  const v8 = require('node:v8');
  const text = JSON.stringify(Array.from({ length: 200 }, (_, n) => ({ id: n + 0.5, words: ['a' + n, 'b'] })));
  let kept = [];
  let [newMiB, heapMiB] = [0, 0];
  for (let n = 0; n < 6000; n++) {
    kept.push(JSON.parse(text));
    if (kept.length > 1000) kept = kept.slice(500);
    if (n % 20 > 0) continue;
    const space = v8.getHeapSpaceStatistics().find((one) => one.space_name === 'new_space');
    newMiB = Math.max(newMiB, space.space_size / 2 ** 20);
    heapMiB = Math.max(heapMiB, process.memoryUsage().heapTotal / 2 ** 20);
  }
  console.log(JSON.stringify({ newMiB, heapMiB }));
`;
const bound = `require(${JSON.stringify(new URL(module).pathname)}).boundHeaps();`;

async function runProgram(program: string, options: readonly string[] = []): Promise<string> {
  const { stdout } = await run(process.execPath, [...options, '--input-type=commonjs', '--eval', program]);
  return stdout;
}

const growFreely = `require('node:v8').setFlagsFromString('--heap-growing-percent=0');`;

it('gives new objects 8 MiB and hardly more, and has the rest of a heap collected before it has grown much', async () => {
  const [bounded, growing, free] = (
    await Promise.all([bound, bound + growFreely, ''].map((start) => runProgram(start + work)))
  ).map((told) => JSON.parse(told) as { newMiB: number; heapMiB: number });
  expect(bounded?.newMiB).toBeGreaterThanOrEqual(8);
  expect(bounded?.newMiB).toBeLessThan(16);
  expect(free?.newMiB).toBeGreaterThan(16);
  expect(bounded?.heapMiB).toBeLessThan((growing?.heapMiB ?? 0) * 0.9);
});

it('has threads collect garbage less often than the size that they would begin with makes them', async () => {
  const inThread = `new (require('node:worker_threads').Worker)(${JSON.stringify(work)}, { eval: true })`;
  const stopGrowing = "require('node:v8').setFlagsFromString('--semi-space-growth-factor=1');";
  const [bounded, smallest] = await Promise.all(
    [bound, stopGrowing].map((start) => runProgram(start + inThread, ['--trace-gc'])),
  );
  const countOf = (told = '') => told.split('Scavenge').length - 1;
  expect(countOf(bounded)).toBeGreaterThan(0);
  expect(countOf(bounded)).toBeLessThan(countOf(smallest) / 2);
});
