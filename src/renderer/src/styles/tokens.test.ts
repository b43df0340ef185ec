import { describe, expect, it } from 'vitest';
import css from './tokens.css?raw';

const themes = ['light', 'dark'] as const;

/** The colours of a theme by token, as `#rrggbb`. */
function readColours(theme: (typeof themes)[number]): Map<string, string> {
  const pairs = css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g);
  return new Map(
    [...pairs].map(([, name = '', light = '', dark = '']) => [name, theme === 'light' ? light : dark]),
  );
}

/** Contrast of two colours (WCAG 2.2, "contrast ratio"). */
function contrast(a: string, b: string): number {
  const [brighter = 0, darker = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (brighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const grounds = ['background', 'surface', 'raised', 'hover'];
const texts = ['text', 'text-muted', 'accent-text', 'ok', 'warn', 'bad', 'aoi'];
const collections = Array.from({ length: 8 }, (_, index) => `collection-${String(index + 1)}`);

describe.each(themes)('in the %s theme', (theme) => {
  const colours = readColours(theme);
  const between = (a: string, b: string) => contrast(colours.get(a) ?? '', colours.get(b) ?? '');

  it.each(texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)))(
    '%s can be read on %s',
    (text, ground) => expect(between(text, ground)).toBeGreaterThanOrEqual(4.5),
  );

  it.each([
    ['text-faint', 'surface'],
    ['accent-ink', 'accent'],
    ['accent-text', 'accent-wash'],
    ['text', 'accent-wash'],
  ])('%s can be read on %s', (text, ground) => expect(between(text, ground)).toBeGreaterThanOrEqual(4.5));

  it.each(
    [...collections, 'aoi', 'accent'].flatMap((mark) =>
      ['surface', 'land', 'sea'].map((ground) => [mark, ground] as const),
    ),
  )('%s stands out from %s', (mark, ground) => expect(between(mark, ground)).toBeGreaterThanOrEqual(3));

  it.each(['surface', 'raised'])('what can be operated has an edge on %s', (ground) =>
    expect(between('control-line', ground)).toBeGreaterThanOrEqual(3),
  );
});
