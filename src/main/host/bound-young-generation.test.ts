import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const module = new URL('./bound-young-generation.ts', import.meta.url).href;

// A program that keeps much of what it makes for a while; gives the largest size of its space for new objects, in MB.
const program = (start: string) => `
  import v8 from 'node:v8';
  ${start}
  const text = JSON.stringify(Array.from({ length: 200 }, (_, n) => ({ id: n + 0.5, words: ['a' + n, 'b'] })));
  let kept = [];
  let mostBytes = 0;
  for (let n = 0; n < 3000; n++) {
    kept.push(JSON.parse(text));
    if (kept.length > 400) kept = kept.slice(200);
    if (n % 20 > 0) continue;
    await new Promise(setImmediate);
    const space = v8.getHeapSpaceStatistics().find((one) => one.space_name === 'new_space');
    mostBytes = Math.max(mostBytes, space.space_size);
  }
  console.log(mostBytes / 2 ** 20);
`;

async function measure(start: string): Promise<number> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program(start)]);
  return Number(stdout);
}

it('keeps the space for new objects small in a program that has begun already', async () => {
  const bounded = await measure(`(await import('${module}')).boundYoungGeneration();`);
  expect(bounded).toBeLessThanOrEqual(16);
  expect(await measure('')).toBeGreaterThan(2 * bounded);
});
