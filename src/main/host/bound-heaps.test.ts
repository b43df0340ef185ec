import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const module = new URL('./bound-young-generation.ts', import.meta.url).href;

// Keeps much of what it makes for a while; gives the largest size of the space for new objects, in MB.
const work = `
  const v8 = require('node:v8');
  const text = JSON.stringify(Array.from({ length: 200 }, (_, n) => ({ id: n + 0.5, words: ['a' + n, 'b'] })));
  let kept = [];
  let mostBytes = 0;
  for (let n = 0; n < 3000; n++) {
    kept.push(JSON.parse(text));
    if (kept.length > 400) kept = kept.slice(200);
    if (n % 20 > 0) continue;
    const space = v8.getHeapSpaceStatistics().find((one) => one.space_name === 'new_space');
    mostBytes = Math.max(mostBytes, space.space_size);
  }
  console.log(mostBytes / 2 ** 20);
`;
const bound = `require(${JSON.stringify(new URL(module).pathname)}).boundYoungGeneration();`;

async function runProgram(program: string, options: readonly string[] = []): Promise<string> {
  const { stdout } = await run(process.execPath, [...options, '--input-type=commonjs', '--eval', program]);
  return stdout;
}

it('keeps the space for new objects small in a program that has begun already', async () => {
  const bounded = Number(await runProgram(bound + work));
  expect(bounded).toBeLessThanOrEqual(16);
  expect(Number(await runProgram(work))).toBeGreaterThan(2 * bounded);
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
