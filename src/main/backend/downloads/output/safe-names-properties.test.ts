import { describe, expect, it } from 'vitest';
import { createRandom } from '#shared/testing/seeded-random.ts';
import { clashKey, numberName, toSafeFolderName, toSafeName } from './safe-names.ts';

// What names from outside are made of when they mean harm, or come from another system.
const pieces = [
  ...[
    '..',
    '.',
    '/',
    '\\',
    '../',
    '..\\',
    '/etc/passwd',
    'C:',
    'C:\\',
    '\\\\?\\',
    '~',
    ' ',
    '   ',
    '\t',
    '\n',
  ],
  ...[
    '\0',
    '\u0007',
    '\u007f',
    '\u0085',
    '\u2028',
    '\u00a0',
    '\u3000',
    '\u200b',
    '\u202e',
    '\u2066',
    '\ufeff',
  ],
  ...[
    'CON',
    'con',
    'PrN',
    'AUX',
    'nul',
    'COM1',
    'com9',
    'COM¹',
    'lpt²',
    'LPT³',
    'COM0',
    'CONIN$',
    'conout$',
    'CLOCK$',
  ],
  ...['.tif', '.TIF', '.tar.gz', '.', '..', '. .', ' .', '. ', '.json', '.lnk', '.part'],
  ...[
    'é',
    'e\u0301',
    'Å',
    'A\u030a',
    '\u212b',
    'ﬁ',
    'ß',
    'ẞ',
    'SS',
    'İ',
    'i',
    'ı',
    'σ',
    'ς',
    'Σ',
    '\u0345',
    'ǅ',
    'ŉ',
    'ΐ',
  ],
  ...[
    '🛰',
    '👩‍🚀',
    '🇩🇪',
    '\ud83d',
    '\udef0',
    '\u0300'.repeat(5),
    '漢字',
    '한',
    '\u1112\u1161\u11ab',
    '<',
    '>',
    ':',
    '"',
    '|',
    '?',
  ],
  ...[
    '*',
    '#',
    '%',
    '%2e%2e%2f',
    '%00',
    '$',
    ';',
    '&',
    "'",
    '`',
    '(2)',
    ' (2)',
    '~1',
    'S2A_MSIL2A',
    'B04',
    'b04',
    'a',
    'A',
  ],
  ...['x'.repeat(120), 'é'.repeat(130), '🛰'.repeat(70), 'e\u0301'.repeat(90), `.${'y'.repeat(40)}`],
];

function* makeNames(seed: number, count: number): Generator<string> {
  const random = createRandom(seed);
  for (let index = 0; index < count; index += 1) {
    let name = '';
    for (let length = Math.floor(random() * 6); length >= 0; length -= 1) {
      name += pieces[Math.floor(random() * pieces.length)] ?? '';
    }
    yield name;
  }
}

const device = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;

/** What is wrong with a name on Windows, macOS or Linux. */
function findFault(name: string): string | null {
  if (name === '' || name === '.' || name === '..') return 'means nothing, or a folder';
  if (!name.isWellFormed()) return 'is cut in a character';
  if (/[\p{Cc}<>:"/\\|?*]/u.test(name)) return 'has a character that Windows forbids';
  if (/[\p{Cf}\u2028\u2029]/u.test(name)) return 'has a mark that is not seen';
  if (/[. ]$/.test(name)) return 'has an end that Windows drops';
  if (/^\s|\s$/.test(name)) return 'begins or ends with white space';
  if (device.test((name.split('.', 1)[0] ?? '').trimEnd())) return 'is a device';
  if (Buffer.byteLength(name) > 255) return 'is too long for Linux';
  // APFS and HFS+ keep names decomposed, in at most 255 UTF-16 units.
  if (name.normalize('NFD').length > 255) return 'is too long for macOS';
  if (name !== name.normalize('NFC')) return 'is not composed';
  return null;
}

/** Whether some file system takes two names for one. */
function areOne(left: string, right: string): boolean {
  const folds = [
    (name: string) => name.toLowerCase(),
    (name: string) => name.toUpperCase(),
    (name: string) => name.normalize('NFD').toLowerCase(),
    (name: string) => name.normalize('NFD').toUpperCase(),
    (name: string) => name.normalize('NFC').toUpperCase().toLowerCase(),
    (name: string) => name.normalize('NFD').toUpperCase().toLowerCase().normalize('NFD'),
  ];
  return folds.some((fold) => fold(left) === fold(right));
}

describe.each([1, 2, 3])('names from outside, seed %i', (seed) => {
  const names = [...makeNames(seed, 1500)];

  it('are legal on all three systems, whole, cut and numbered', () => {
    for (const name of names) {
      for (const maxBytes of [255, 220, 110, 40]) {
        const safe = toSafeName(name, { maxBytes });
        expect({ name, safe, fault: findFault(safe) }).toEqual({ name, safe, fault: null });
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(maxBytes);
        const numbered = numberName(safe, 12, maxBytes);
        expect({ name, numbered, fault: findFault(numbered) }).toEqual({ name, numbered, fault: null });
        expect(Buffer.byteLength(numbered)).toBeLessThanOrEqual(maxBytes);
        expect(areOne(numbered, safe)).toBe(false);
      }
      const folder = toSafeFolderName(name);
      expect({ name, folder, fault: findFault(folder) }).toEqual({ name, folder, fault: null });
    }
  });

  it('are the same when they are made safe again', () => {
    for (const name of names) {
      const safe = toSafeName(name);
      expect({ name, again: toSafeName(safe) }).toEqual({ name, again: safe });
    }
  });

  it('have one key wherever a file system takes them for one', () => {
    const byKey = new Map(names.map((name) => [clashKey(toSafeName(name)), toSafeName(name)]));
    const all = [...byKey.values()].slice(0, 300);
    for (const [index, left] of all.entries())
      for (const right of all.slice(index + 1))
        if (areOne(left, right)) expect({ left, right }).toBe('told apart, though they are one');
  });
});
