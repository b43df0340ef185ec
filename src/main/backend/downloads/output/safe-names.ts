import { createHash } from 'node:crypto';

/** Longest name that common file systems take. */
const longestNameBytes = 255;
// NTFS counts UTF-16 units, the others bytes of UTF-8, of which there are never fewer.
const encoder = new TextEncoder();

// Control characters, what Windows forbids, and `#` and `%`, which would mean something else in a relative href.
const forbidden = /[\p{Cc}\p{Cs}\u2028\u2029<>:"/\\|?*#%]/gu;
// Marks that can't be seen and can turn a name around (`gpj.exe` shown as `exe.jpg`).
const invisible = /\p{Cf}/gu;
const reserved = /^(con|prn|aux|nul|clock\$|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;
const longestExtensionBytes = 24;

/**
 * A file or folder name from outside as one that Windows, macOS and Linux take and that stays in its folder. The same
 * text always gives the same name; different texts may give one (see `clashKey`).
 */
export function toSafeName(name: string, options: { maxBytes?: number; fallback?: string } = {}): string {
  const { maxBytes = longestNameBytes, fallback = 'unnamed' } = options;
  const cleaned = trimEnds(
    name.toWellFormed().normalize('NFC').replace(invisible, '').replace(forbidden, '_'),
  );
  const named = cleaned === '' ? fallback : cleaned;
  const [stem = ''] = named.split('.', 1);
  const unreserved = reserved.test(stem.trimEnd()) ? `_${named}` : named;
  return shorten(unreserved.replace(/^\./, '_'), maxBytes);
}

/** A safe name for an id; where it had to be changed, with some digits of the id's hash, so that ids stay apart. */
export function toSafeFolderName(id: string): string {
  const name = toSafeName(id, { maxBytes: 120 });
  if (name === id) return name;
  return `${name}~${createHash('sha256').update(id).digest('hex').slice(0, 8)}`;
}

/** What two names have in common that some file system takes for one. */
export function clashKey(name: string): string {
  // Both ways, as the two cases are no mirror of each other: `ẞ`, `ß` and `SS` meet only so.
  return name.normalize('NFD').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

/** `name.tif` as `name (2).tif`; a first copy has no number. */
export function numberName(name: string, copy: number, maxBytes = longestNameBytes): string {
  if (copy === 1) return name;
  const { stem, extension } = splitExtension(name);
  const suffix = ` (${copy})${extension}`;
  return cut(stem, maxBytes - byteLength(suffix)) + suffix;
}

// Windows drops dots and spaces at the end without a word; at the beginning spaces only confuse.
function trimEnds(name: string): string {
  return name.replace(/^\s+/, '').replace(/[\s.]+$/, '');
}

function shorten(name: string, maxBytes: number): string {
  if (byteLength(name) <= maxBytes) return name;
  const { stem, extension } = splitExtension(name);
  return cut(stem, maxBytes - byteLength(extension)) + extension;
}

function splitExtension(name: string): { stem: string; extension: string } {
  const extension = /(?<=.)(\.tar)?\.[^.\s]+$/.exec(name)?.[0] ?? '';
  if (byteLength(extension) > longestExtensionBytes) return { stem: name, extension: '' };
  return { stem: name.slice(0, name.length - extension.length), extension };
}

function cut(text: string, maxBytes: number): string {
  let kept = '';
  let bytes = 0;
  for (const character of text) {
    bytes += byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return trimEnds(kept);
}

// HFS+ counts UTF-16 units of the decomposed name, which can be more than its bytes.
function byteLength(text: string): number {
  return Math.max(encoder.encode(text).length, text.normalize('NFD').length);
}
