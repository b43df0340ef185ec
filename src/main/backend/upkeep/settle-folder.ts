import type { LibraryPlaces } from '../library/library-file.ts';
import { finishRestore } from './restore.ts';
import { takeUpNotebook } from './restored-notebook.ts';
import { settleMove } from './settle-move.ts';

/**
 * Brings the files of Swath's folders to where a program wanted them that was killed. Called at the start of one that has
 * them alone, before it opens any.
 */
export function settleFolder(places: LibraryPlaces, nowMs: number): void {
  settleMove(places);
  finishRestore(places, nowMs);
  takeUpNotebook(places.dataDir, nowMs);
}
