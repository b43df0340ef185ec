/** Work that gives way after every step: each `yield` is a place where others may have their turn. */
export type SlicedWork<Result> = Generator<undefined, Result, undefined>;

/** Half of a frame at 60 Hz: what else a frame needs finds room beside it. */
const sliceMs = 8;

/** Runs work in slices of 8 ms. Resolves to null when `isWanted` says that nobody waits for it any more. */
export async function runInSlices<Result>(
  work: SlicedWork<Result>,
  isWanted: () => boolean,
): Promise<Result | null> {
  for (;;) {
    const endMs = performance.now() + sliceMs;
    let step = work.next();
    while (!step.done && performance.now() < endMs) step = work.next();
    if (step.done) return step.value;
    await giveWay();
    if (!isWanted()) return null;
  }
}

/** Runs work to its end at once. */
export function runAtOnce<Result>(work: SlicedWork<Result>): Result {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

// setTimeout waits 4 ms when it is nested; a message doesn't, and lets input and painting go first.
function giveWay(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
