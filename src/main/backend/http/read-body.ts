import type { Readable } from 'node:stream';
import { AppError } from '#shared/errors/app-error.ts';

/** Calls back once after a delay; returns the way to call it off. */
export type After = (delayMs: number, callback: () => void) => () => void;

const afterRealTime: After = (delayMs, callback) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};

// A server that says a word now and then would keep whoever waits for the whole for ever.
const dripMs = 60_000;
const leastOfDripBytes = 4096;

/**
 * Reads a body into memory and gives up as soon as it is longer than allowed, or only drips.
 * @throws AppError `http.body-too-large`, or whatever the stream fails with; `ETIMEDOUT` of one that drips
 */
export async function readBody(
  body: Readable,
  maxBodyBytes: number,
  after: After = afterRealTime,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  let seenBytes = 0;
  let cancel = after(dripMs, look);

  function look(): void {
    if (sizeBytes - seenBytes < leastOfDripBytes)
      body.destroy(Object.assign(new Error('The answer only drips'), { code: 'ETIMEDOUT' }));
    seenBytes = sizeBytes;
    cancel = after(dripMs, look);
  }

  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      // Leaving the loop destroys the stream and with it the connection.
      if (sizeBytes > maxBodyBytes) {
        throw new AppError('http.body-too-large', `The answer is longer than ${maxBodyBytes} bytes`, {
          details: { maxBytes: maxBodyBytes },
        });
      }
      chunks.push(chunk);
    }
  } finally {
    cancel();
  }
  return Buffer.concat(chunks);
}

const maxWhyBytes = 64 * 1024;
const whyMs = 10_000;

/** What a server says of why it refuses, of which too much, too late or broken off is nothing. Ends the body. */
export async function readWhy(body: Readable, after: After = afterRealTime): Promise<Buffer> {
  const cancel = after(whyMs, () => body.destroy(new Error('The body stalls')));
  try {
    return await readBody(body, maxWhyBytes);
  } catch {
    return Buffer.alloc(0);
  } finally {
    cancel();
    body.destroy();
  }
}
