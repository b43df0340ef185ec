import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createOutput } from './output.ts';

/** A reader that takes one write at a time, when it comes to it. */
function createSlowReader(): { stream: Writable; taken: string[] } {
  const taken: string[] = [];
  const stream = new Writable({
    highWaterMark: 1,
    write: (chunk: Buffer, _encoding, done) => {
      taken.push(chunk.toString());
      void setImmediate().then(() => done());
    },
  });
  return { stream, taken };
}

describe('standard output', () => {
  it('waits for a slow reader again and again, and leaves nothing behind', async () => {
    const { stream, taken } = createSlowReader();
    const output = createOutput(stream);
    const before = countListeners(stream);
    for (let line = 0; line < 20; line++) expect(await output.write(`${String(line)}\n`)).toBe(true);
    expect(taken).toHaveLength(20);
    expect(countListeners(stream)).toBe(before);
  });

  it('stops when the reader has left', async () => {
    const { stream } = createSlowReader();
    const output = createOutput(stream);
    const writing = output.write('first\n');
    stream.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    expect(await writing).toBe(false);
    expect(await output.write('second\n')).toBe(false);
  });
});

function countListeners(stream: Writable): number {
  return stream.eventNames().reduce((sum, name) => sum + stream.listenerCount(name), 0);
}
