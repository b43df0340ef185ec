import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import { nothingIn, unreadable } from './basemap-error.ts';
import { checkTile } from './check-tile.ts';
import type { TileSet } from './tile-set.ts';

/** A file with a damaged tile is of use still. */
const probedTiles = 8;

/** Reads the first tiles of a file. @throws AppError `basemap.unreadable` when it has none, or none that can be read */
export function probeTiles(tileSet: TileSet): void {
  let problem: AppError | null = null;
  let count = 0;
  for (const read of tileSet.firstTiles(probedTiles)) {
    count += 1;
    try {
      const bytes = read();
      if (bytes !== null && checkTile(bytes, tileSet.facts) !== null) return;
    } catch (thrown) {
      problem ??= toAppError(thrown);
    }
  }
  if (count === 0) throw nothingIn();
  if (problem?.code !== 'basemap.unreadable') return;
  const { mend } = problem.details;
  throw unreadable({
    why: `Its tiles can’t be read. ${problem.message}`,
    mend: typeof mend === 'string' ? mend : '',
  });
}
