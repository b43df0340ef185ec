import { createReadStream } from 'node:fs';
import type { z } from 'zod';
import { isTooDeep } from '#shared/stac/json.ts';
import { refusePack } from './pack-error.ts';
import { packLimits } from './pack-format.ts';

/**
 * The values of a file of JSON lines, one after the other; no line is longer than the limit, none nested too deeply.
 * @throws AppError `exchange.unreadable`
 */
export async function* readLines(path: string): AsyncGenerator {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    let rest = chunk as Buffer;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = Buffer.concat([...waiting, rest.subarray(0, end)]);
      [waiting, waitingBytes] = [[], 0];
      rest = rest.subarray(end + 1);
      yield parse(line);
    }
    waiting.push(rest);
    waitingBytes += rest.length;
    if (waitingBytes > packLimits.lineBytes) throw refusePack('A line in it is too long.');
  }
  if (waitingBytes > 0) throw refusePack('A part of it ends in the middle of a line.');
}

/** The same, each line of a known form. @throws AppError `exchange.unreadable` */
export async function* readLinesAs<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): AsyncGenerator<z.output<Schema>> {
  for await (const value of readLines(path)) {
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw refusePack('A line in it is not what it should be.');
    yield parsed.data;
  }
}

function parse(line: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(line.toString());
    if (!isTooDeep(value)) return value;
  } catch {
    // Told below.
  }
  throw refusePack('A line in it is no JSON.');
}
