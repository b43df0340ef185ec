import { propertiesOf, type StacItem } from '#shared/stac/item.ts';

/** A longer text is prose or a list of files; its beginning says what it is about. */
const maxTextLength = 200;
/** All texts of an Item together. */
const maxWordsLength = 1000;

const timestamp = /^\d{4}-\d\d-\d\dT/;
// In the ids of Sentinel-2 the tile has a letter before it, which nobody types.
const markedTile = /(?:^|[_-])T(\d\d[A-Z]{3})(?=[_-]|$)/;

const dayWithTime = /(?:^|[_-])(\d{8})(?=T\d{6})/g;

/** The texts that an Item is found by: its id, its title and what its properties say in words. */
export function wordsOf(item: StacItem): string {
  let words = item.id;
  const tile = markedTile.exec(item.id)?.[1];
  if (tile !== undefined) words += ` ${tile}`;
  // With the time behind it a date is one word, of which nobody types the end.
  for (const [, day = ''] of item.id.matchAll(dayWithTime))
    if (!words.endsWith(` ${day}`)) words += ` ${day}`;
  const properties = propertiesOf(item);
  for (const name in properties) {
    const value = properties[name];
    if (typeof value === 'string') words = add(words, value);
    else if (Array.isArray(value))
      for (const element of value) if (typeof element === 'string') words = add(words, element);
    if (words.length > maxWordsLength) break;
  }
  return words.slice(0, maxWordsLength);
}

function add(words: string, text: string): string {
  if (timestamp.test(text) || words.includes(text)) return words;
  return `${words} ${text.slice(0, maxTextLength)}`;
}
