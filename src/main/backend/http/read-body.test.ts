import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readBody, readWhy } from './read-body.ts';

it('waits for no words that never come', async () => {
  const body = new PassThrough();
  body.write('<Error>');
  const soon = (_delayMs: number, callback: () => void) => {
    const timer = setTimeout(callback, 50);
    return () => clearTimeout(timer);
  };
  expect((await readWhy(body, soon)).length).toBe(0);
  expect(body.destroyed).toBe(true);
});

it('reads what a server says of its refusal, unless it is too much', async () => {
  const body = new PassThrough();
  body.end('<Code>AccessDenied</Code>');
  expect((await readWhy(body)).toString()).toBe('<Code>AccessDenied</Code>');
  const endless = new PassThrough();
  endless.end(Buffer.alloc(100_000));
  expect((await readWhy(endless)).length).toBe(0);
});

it('gives up on a body that only drips, and on none that is slow', async () => {
  const looks: (() => void)[] = [];
  const after = (_delayMs: number, callback: () => void) => {
    looks.push(callback);
    return () => undefined;
  };
  const slow = new PassThrough();
  const whole = readBody(slow, 100_000, after);
  for (let minute = 0; minute < 3; minute += 1) {
    slow.write(Buffer.alloc(5000));
    await setImmediate();
    looks.at(-1)?.();
  }
  slow.end();
  expect((await whole).length).toBe(15_000);
  const drip = new PassThrough();
  const given = readBody(drip, 100_000, after);
  drip.write(' '.repeat(100));
  await setImmediate();
  looks.at(-1)?.();
  await expect(given).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});
