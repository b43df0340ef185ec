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

  // The members of details are those that the backend sets; each is named where the error is thrown.
  it.each(['stac.query-rejected', 'http.unexpected-status'] as const)(
    'quotes what the catalog said: %s',
    (code) => {
      const details = { status: 400, reason: 'Operator contains is not supported for strings' };
      expect(presentError({ code, details }).hint).toContain('contains');
    },
  );

  it('does not blame the token where another server refuses access', () => {
    const details = { status: 401, origin: 'https://pages.example', isElsewhere: true };
    const { title, hint } = presentError({ code: 'auth.required', details });
    expect(title).toContain('on a server that refuses access');
    expect(hint).toContain('https://pages.example');
  });

  it('says what came in place of a STAC answer', () => {
    const details = { expected: 'a list of items', found: 'a web page ("Sign in")' };
    expect(presentError({ code: 'stac.invalid-response', details }).hint).toContain('a web page ("Sign in")');
  });

  it('says how much is to come and how much is free', () => {
    const details = { neededBytes: 1.2e9, freeBytes: 3e8 };
    const { hint } = presentError({ code: 'transfer.disk-full', details });
    expect(hint).toContain('1.20 GB to come, 300 MB free');
  });

  it('tells an asset that is a folder from one without a link', () => {
    const hintFor = (reason: string) => presentError({ code: 'link.none', details: { reason } }).hint;
    expect(hintFor('directory')).toContain('folder');
    expect(hintFor('no https link')).toContain('signed link');
  });

  it('says that a damaged library is put right by itself', () => {
    expect(presentError({ code: 'library.corrupt', details: {} }).hint).toContain(
      'brings back what can be read',
    );
  });

  it('tells a lost program from a lost catalog', () => {
    expect(presentError({ code: 'network.offline', details: { host: 'local' } }).hint).toContain('Swath');
  });
});
