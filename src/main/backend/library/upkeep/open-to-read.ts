import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Library } from '../library.ts';
import { openLibrary } from '../open-library.ts';
import { choosePlace } from './choose-place.ts';

/** A library that is only read. */
export interface ReadLibrary {
  library: Library;
  /** Whether what is written would stay: not where this is a copy. */
  isKept: boolean;
  close: () => Promise<void>;
}

/**
 * Opens a library to read it; where its folder can't be written to, a copy that goes with `close`.
 * @throws AppError `library.newer-schema`, `library.corrupt`, `library.folder-missing`
 */
export function openToRead(filePath: string): ReadLibrary {
  // Of a folder that isn't there, as on a drive that was pulled out, nothing is known: not that it has no library.
  const place = existsSync(dirname(filePath)) ? choosePlace(filePath) : null;
  try {
    const library = openLibrary({ filePath: place?.filePath ?? filePath });
    return {
      library,
      isKept: place?.isKept ?? true,
      close: () => library.close().finally(() => place?.release()),
    };
  } catch (thrown) {
    place?.release();
    throw place ? place.explain(thrown) : thrown;
  }
}
