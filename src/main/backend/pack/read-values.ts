import { createReadStream } from 'node:fs';
import type { z } from 'zod';
import { readLines } from '#shared/text/read-lines.ts';
import { isTooDeep } from '#shared/stac/json.ts';
import { refusePack } from './pack-error.ts';
import { packLimits } from './pack-format.ts';

/**
 * The values of a file of JSON lines, one after the other; no line is longer than the limit, none nested too deeply.
 * @throws AppError `exchange.unreadable`
 */
export async function* readValues(path: string): AsyncGenerator {
  const input = createReadStream(path, { highWaterMark: 256 * 1024 });
  try {
    const lines = readLines(input, () => packLimits.lineBytes, { isEndNeeded: true });
    for await (const line of lines) yield parse(line);
  } catch (thrown) {
    if (thrown instanceof RangeError) throw refusePack('A line in it is too long.');
    if (thrown instanceof SyntaxError) throw refusePack('A part of it ends in the middle of a line.');
    throw thrown;
  }
}

/** The same, each line of a known form. @throws AppError `exchange.unreadable` */
export async function* readValuesAs<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): AsyncGenerator<z.output<Schema>> {
  for await (const value of readValues(path)) {
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw refusePack('A line in it is not what it should be.');
    yield parsed.data;
  }
}

function parse(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    if (!isTooDeep(value)) return value;
  } catch {
    // Told below.
  }
  throw refusePack('A line in it is no JSON.');
}
