import type { StacItem } from '#shared/stac/item.ts';
import type { OpenFile } from './handed-file.ts';

/** Items that are asked for beside each other: some catalogs take seconds to sign the links of one. */
const askedAtOnce = 6;

/** A file with its Item, which may still be on its way. */
export interface FileWithItem {
  file: OpenFile;
  item: Promise<StacItem>;
}

/** Files in their order, with their Items as the catalog gives them: each asked for once, and a few ahead of their turn. */
export function* askAhead(
  files: Iterable<OpenFile>,
  ask: (file: OpenFile) => Promise<StacItem>,
): Generator<FileWithItem> {
  const waiting: FileWithItem[] = [];
  let last = { key: '', item: Promise.resolve<StacItem>({ id: '' }) };
  let askedCount = 0;
  for (const file of files) {
    // The files of an Item mostly follow each other.
    const key = JSON.stringify([file.connectionId, file.ref]);
    if (last.key !== key) {
      last = { key, item: ask(file) };
      // It is waited for in its turn.
      last.item.catch(() => undefined);
      askedCount += 1;
    }
    waiting.push({ file, item: last.item });
    while (askedCount > askedAtOnce) {
      const first = waiting.shift();
      if (!first) break;
      yield first;
      if (waiting[0]?.item !== first.item) askedCount -= 1;
    }
  }
  yield* waiting;
}
