import type { Readable } from 'node:stream';
import { AppError } from '#shared/errors/app-error.ts';
import { readItem, type IdentifiedItem } from '#shared/stac/item.ts';
import { readLines } from '#shared/text/read-lines.ts';

// An Item is some kilobytes; one of many megabytes is none.
const maxLineBytes = 32 * 1024 * 1024;

/**
 * Items from lines of JSON, as `swath search` writes them. Empty lines are passed over.
 * @throws AppError `input.invalid` naming the line that is no Item
 */
export async function* readItemLines(input: Readable): AsyncGenerator<IdentifiedItem> {
  let number = 0;
  try {
    for await (const line of readLines(input, () => maxLineBytes)) {
      number += 1;
      if (line.trim() !== '') yield readLine(line, number);
    }
  } catch (thrown) {
    throw thrown instanceof RangeError ? invalid(`line ${number + 1} is too long for an item`) : thrown;
  }
}

function readLine(line: string, number: number): IdentifiedItem {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw invalid(`line ${number} is not JSON; one item a line is needed, as swath search prints them`);
  }
  const reading = readItem(value);
  if ('reason' in reading) throw invalid(`line ${number}: ${reading.reason}`);
  return reading;
}

function invalid(why: string): AppError {
  return new AppError('input.invalid', `standard input: ${why}`, { details: { field: 'stdin', why } });
}
