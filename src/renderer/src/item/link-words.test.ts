import { describe, expect, it } from 'vitest';
import { describeMintedLink } from './link-words.ts';

const now = new Date('2026-07-14T02:11:00Z');

describe('describeMintedLink', () => {
  it('says how long it lasts and who can use it', () => {
    const expiresAt = '2026-07-14T14:09:00Z';
    expect(describeMintedLink({ kind: 'signed', expiresAt, leftSeconds: 43_080 }, now)).toBe(
      'Valid until 14:09 UTC, 11 h 58 min; whoever has it can download the file.',
    );
    expect(describeMintedLink({ kind: 'signed', expiresAt: null, leftSeconds: null }, now)).toBe(
      'It doesn’t say how long it is valid; whoever has it can download the file.',
    );
    expect(describeMintedLink({ kind: 'direct', expiresAt: null, leftSeconds: null }, now)).toMatch(/public/);
  });
});
