import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const module = new URL('./bound-heaps.ts', import.meta.url).href;

// Keeps much of what it makes for a while; gives the largest size of the space for new objects, in MiB.
const work = (rounds: number) => `
  const v8 = require('node:v8');
  const text = JSON.stringify(Array.from({ length: 200 }, (_, n) => ({ id: n + 0.5, words: ['a' + n, 'b'] })));
  let kept = [];
  let newMiB = 0;
  for (let n = 0; n < ${String(rounds)}; n++) {
    kept.push(JSON.parse(text));
    if (kept.length > 1000) kept = kept.slice(500);
    if (n % 20 > 0) continue;
    const space = v8.getHeapSpaceStatistics().find((one) => one.space_name === 'new_space');
    newMiB = Math.max(newMiB, space.space_size / 2 ** 20);
  }
  console.log(newMiB);
`;
const bound = `require(${JSON.stringify(new URL(module).pathname)}).boundHeaps();`;

async function runProgram(program: string, options: readonly string[] = []): Promise<string> {
  const { stdout } = await run(process.execPath, [...options, '--input-type=commonjs', '--eval', program]);
  return stdout;
}

function countCollections(told: string, kind: 'Scavenge' | 'Mark-Compact'): number {
  return told.split(kind).length - 1;
}

it('gives new objects 8 MiB and hardly more', async () => {
  const [bounded, free] = await Promise.all(
    [bound, ''].map(async (start) => Number(await runProgram(start + work(6000)))),
  );
  expect(bounded).toBeGreaterThanOrEqual(8);
  expect(bounded).toBeLessThan(32);
  expect(free).toBeGreaterThan(32);
});

it('has the rest of a heap collected before it has grown much', async () => {
  const growFreely = `require('node:v8').setFlagsFromString('--heap-growing-percent=0');`;
  const [bounded = 0, growing = 0] = await Promise.all(
    [bound, bound + growFreely].map(async (start) =>
      countCollections(await runProgram(start + work(24_000), ['--trace-gc']), 'Mark-Compact'),
    ),
  );
  expect(bounded).toBeGreaterThan(growing * 1.4);
}, 30_000);

it('has threads collect garbage less often than the size that they would begin with makes them', async () => {
  const inThread = `new (require('node:worker_threads').Worker)(${JSON.stringify(work(6000))}, { eval: true })`;
  const stopGrowing = "require('node:v8').setFlagsFromString('--semi-space-growth-factor=1');";
  const [bounded, smallest = 0] = await Promise.all(
    [bound, stopGrowing].map(async (start) =>
      countCollections(await runProgram(start + inThread, ['--trace-gc']), 'Scavenge'),
    ),
  );
  expect(bounded).toBeGreaterThan(0);
  expect(bounded).toBeLessThan(smallest / 2);
});
