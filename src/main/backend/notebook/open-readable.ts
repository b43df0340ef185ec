import { choosePlace } from '../library/upkeep/choose-place.ts';
import { openNotebook, type Notebook } from './notebook.ts';

/**
 * Opens a notebook for a while; where its folder can't be written to, a copy that goes with `close`.
 * @throws AppError `library.newer-schema`, `library.corrupt`
 */
export function openReadableNotebook(filePath: string): Notebook {
  const place = choosePlace(filePath);
  try {
    const notebook = openNotebook({ filePath: place.filePath });
    return {
      ...notebook,
      close() {
        notebook.close();
        place.release();
      },
    };
  } catch (thrown) {
    place.release();
    throw place.explain(thrown);
  }
}
