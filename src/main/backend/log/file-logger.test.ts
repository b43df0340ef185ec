import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileLogger } from './file-logger.ts';

describe('the log file', () => {
  let folder: string;
  const clock = { now: () => Date.UTC(2026, 10, 20, 9, 30) };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'swath-log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('writes one JSON object a line, with time, level, event and facts', () => {
    const file = join(folder, 'logs', 'swath.log');
    const logger = createFileLogger(file, { clock });
    logger.info('search', { items: 20 });
    logger.error('call failed', { error: new Error('boom') });
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { time: '2026-11-20T09:30:00.000Z', level: 'info', event: 'search', items: 20 },
      {
        time: '2026-11-20T09:30:00.000Z',
        level: 'error',
        event: 'call failed',
        error: { name: 'Error', message: 'boom' },
      },
    ]);
  });

  it('never writes tokens, signatures or passwords', () => {
    const file = join(folder, 'swath.log');
    const logger = createFileLogger(file, { clock });
    logger.warn('request', {
      accessToken: 'hunter2',
      headers: { Authorization: 'Bearer hunter2' },
      url: 'https://user:hunter2@data.example/a/b.tif?X-Amz-Signature=hunter2#hunter2',
      message: 'GET https://data.example/a?sig=hunter2 with Bearer hunter2 failed',
      nested: [{ error: new Error('at https://data.example/c?token=hunter2') }],
    });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('hunter2');
    expect(text).toContain('https://data.example/a/b.tif');
  });

  it('stays small: a full file is set aside once', () => {
    const file = join(folder, 'swath.log');
    const logger = createFileLogger(file, { clock, maxSizeBytes: 2000 });
    for (let n = 0; n < 200; n++) logger.info('line', { n });
    expect(statSync(file).size).toBeLessThanOrEqual(2000);
    expect(statSync(`${file}.1`).size).toBeLessThanOrEqual(2000);
    expect(readFileSync(file, 'utf8')).toContain('"n":199');
  });

  it('does not throw when it cannot write', () => {
    const logger = createFileLogger(join('/dev/null', 'swath.log'), { clock });
    expect(() => logger.info('nowhere')).not.toThrow();
  });
});
