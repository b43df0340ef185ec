import { withReadable } from '../library/upkeep/choose-place.ts';
import type { HeldLibrary } from '../library/upkeep/library-keeper.ts';
import { readBeside } from '../library/upkeep/read-beside.ts';
import { outlastOthers, watchOthers, type OthersWatch } from '../library/upkeep/watch-others.ts';
import type { FoundLibrary } from './library-files.ts';

/** A copy of a library in its new folder, at `targetPath` until it has its name there. */
export interface LibraryCopy {
  library: FoundLibrary;
  targetPath: string;
  placedPath: string;
  /** Since before the file was copied. */
  watch: OthersWatch;
}

type HeldCopy = readonly [LibraryCopy, HeldLibrary];

/** Copies it as it is now. @throws AppError as `backUp` */
export function copyLibrary(
  { library, targetPath }: LibraryCopy,
  options: Parameters<typeof readBeside>[2],
): Promise<void> {
  return withReadable(library.filePath, (sourcePath) =>
    readBeside('backUp', { sourcePath, targetPath }, options),
  );
}

/**
 * Has the copies take the place of the libraries in `takeOver`, which waits for nothing. Those that are open hold still,
 * all at once, and are closed for that moment; what was written since their copies began is copied before.
 * @throws AppError `library.in-use` where one is open elsewhere, as what is written to it would be lost
 */
export async function switchOver(copies: readonly LibraryCopy[], takeOver: () => void): Promise<void> {
  const open = copies.filter(({ library }) => library.keeper !== null);
  const takeOverUnused = (): void => {
    for (const { watch } of copies) watch.proveUnused();
    takeOver();
  };
  const exchangeAll = async (held: readonly HeldCopy[]): Promise<void> => {
    await bringUpToDate(copies);
    await Promise.all(held.map(([, { endThreads }]) => endThreads()));
    // Ending them may write what Items are found by.
    await bringUpToDate(copies);
    // One in the other, so that all are closed when the innermost takes over.
    const exchangeNow = held.reduce(
      (inner, [{ placedPath }, { exchange }]) =>
        () =>
          exchange(() => {
            inner();
            return placedPath;
          }),
      takeOverUnused,
    );
    exchangeNow();
  };
  await holdAll(open, (held) => outlastOthers(() => exchangeAll(held)));
}

async function holdAll(
  [first, ...others]: readonly LibraryCopy[],
  work: (held: readonly HeldCopy[]) => Promise<void>,
): Promise<void> {
  if (!first) await work([]);
  else await first.library.keeper?.hold((held) => holdAll(others, (more) => work([[first, held], ...more])));
}

async function bringUpToDate(copies: readonly LibraryCopy[]): Promise<void> {
  for (const copy of copies.filter(({ watch }) => watch.wasWritten())) {
    copy.watch.close();
    copy.watch = watchOthers(copy.library.filePath);
    await copyLibrary(copy, {});
  }
}
