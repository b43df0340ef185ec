import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createOutput, type Output } from './output.ts';

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
  it('goes on without telling, and knows why, when there is no room for it', async () => {
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(full) });
    const output = createOutput(stream);
    expect(output.failure).toBeNull();
    expect(await output.write('first\n')).toBe(false);
    expect(await output.write('second\n')).toBe(false);
    expect(output.failure).toBe(full);
  });
});

const hostile = 'a\u001b]0;x\u0007\u009b31m\u202e\tb\nc';

describe('text on standard output', () => {
  async function write(how: (output: Output) => Promise<boolean>, isTTY = false): Promise<string> {
    const { stream, taken } = createSlowReader();
    await how(createOutput(Object.assign(stream, { isTTY })));
    return taken.join('');
  }

  it('for people is one line of as many cells as were meant, and gives a terminal no orders', async () => {
    const line = await write((output) => output.writeLine(7, hostile, 'end'));
    expect(line).toBe('7\ta\\u001b]0;x\\u0007\\u009b31m\\u202e b c\tend\n');
  });

  it('for a program is byte for byte what it is, but on a terminal', async () => {
    const text = 'a\u001b[2J,\u202eb\nc';
    expect(await write((output) => output.writeText(text))).toBe(`${text}\n`);
    expect(await write((output) => output.writeText(text), true)).toBe('a\\u001b[2J,\\u202eb\nc\n');
  });
});

function countListeners(stream: Writable): number {
  return stream.eventNames().reduce((sum, name) => sum + stream.listenerCount(name), 0);
}
