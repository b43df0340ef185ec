import type { Readable } from 'node:stream';
import { AppError } from '#shared/errors/app-error.ts';
import { readItem, type IdentifiedItem } from '#shared/stac/item.ts';

// An Item is some kilobytes; one of many megabytes is none.
const maxLineBytes = 32 * 1024 * 1024;

/**
 * Items from lines of JSON, as `swath search` writes them. Empty lines are passed over.
 * @throws AppError `input.invalid` naming the line that is no Item
 */
export async function* readItemLines(input: Readable): AsyncGenerator<IdentifiedItem> {
  let number = 0;
  for await (const line of readLines(input)) {
    number += 1;
    if (line.trim() === '') continue;
    yield readLine(line, number);
  }
}

async function* readLines(input: Readable): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield Buffer.concat([...pieces, rest.subarray(0, end)]).toString('utf8');
      [pieces, size] = [[], 0];
      rest = rest.subarray(end + 1);
    }
    pieces.push(rest);
    size += rest.length;
    if (size > maxLineBytes) throw invalid('a line is too long');
  }
  if (size > 0) yield Buffer.concat(pieces).toString('utf8');
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
