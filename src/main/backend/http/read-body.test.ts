import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { readWhy } from './read-body.ts';

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
