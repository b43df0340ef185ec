import type { Readable } from 'node:stream';
import { AppError } from '#shared/errors/app-error.ts';

/**
 * Reads a body into memory and gives up as soon as it is longer than allowed.
 * @throws AppError `http.body-too-large`, or whatever the stream fails with
 */
export async function readBody(body: Readable, maxBodyBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
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
  return Buffer.concat(chunks);
}

const maxWhyBytes = 64 * 1024;
const whyMs = 10_000;

/** Calls back once after a delay; returns the way to call it off. */
export type After = (delayMs: number, callback: () => void) => () => void;

const afterRealTime: After = (delayMs, callback) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};

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
