import { describe, expect, it } from 'vitest';
import { errorCodes } from '#shared/errors/error-codes.ts';
import { presentError } from './present-error.ts';

describe('presentError', () => {
  it.each(errorCodes)('has a title and a hint for %s, with and without details', (code) => {
    for (const details of [{}, { status: 503, host: 'example.com', field: 'bbox', why: 'too small' }]) {
      const { title, hint } = presentError({ code, details });
      expect(title.length).toBeGreaterThan(5);
      expect(hint.length).toBeGreaterThan(5);
      expect(`${title} ${hint}`).not.toMatch(/undefined|null|\[object/);
    }
  });

  it('quotes what the catalog said', () => {
    const details = { description: 'Operator contains is not supported for strings' };
    expect(presentError({ code: 'stac.query-rejected', details }).hint).toContain('contains');
  });

  it('says how much space is missing', () => {
    expect(presentError({ code: 'transfer.disk-full', details: { missingBytes: 1.2e9 } }).hint).toContain(
      '1.2 GB',
    );
  });

  it('tells a lost program from a lost catalog', () => {
    expect(presentError({ code: 'network.offline', details: { host: 'local' } }).hint).toContain('Swath');
  });
});
