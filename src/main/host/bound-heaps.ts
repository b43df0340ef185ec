import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Half of the space for new objects in this thread, one of the two between which V8 moves what lives. */
const semiSpaceMebibytes = 4;
/** That of threads that begin later: the one that writes the library makes most of what it makes for a moment only. */
const semiSpaceOfThreadsMebibytes = 8;
/** How much a heap may grow before all of it is collected. */
const growingPercent = 100;
/** Objects that are made at a time, some 10 kB, and how often at most: five times what is needed from nothing. */
const [objectsEach, mostTimes] = [250, 4000];

/**
 * Keeps V8's heaps small. By itself V8 doubles the space where new objects are made as long as much of it outlives a
 * collection, to 128 MiB: then a page of Items fills it, and each collection holds the event loop for tens of
 * milliseconds. It stays near 8 MiB, in threads near 16. The rest of a heap may grow to three or four times what is in use
 * before it is collected: hundreds of pages later the program had 70 MB more. It is allowed twice.
 *
 * So small a space is collected by one thread: four that share the work took 50 % more of two cores while a library was
 * filled, and a pause was no shorter.
 *
 * A size can't be given to Electron's main process before it runs. Growing can be brought about, and stopped.
 */
export function boundHeaps(): void {
  const kept: object[][] = [];
  while (newSpaceMebibytes() < 2 * semiSpaceMebibytes && kept.length < mostTimes)
    kept.push(Array.from({ length: objectsEach }, (_, number) => ({ number })));
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString(`--heap-growing-percent=${String(growingPercent)}`);
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString(`--min-semi-space-size=${String(semiSpaceOfThreadsMebibytes)}`);
}

function newSpaceMebibytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return (space?.space_size ?? Infinity) / 2 ** 20;
}
