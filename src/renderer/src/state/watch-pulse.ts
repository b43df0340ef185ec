const beatMs = 4000;
// A computer that wakes up finds all its timers due before the first answer: one beat alone says nothing.
const missedBeats = 2;

/** What `watchPulse` is told and tells. */
export interface PulseOptions {
  /** Any question that is answered at once. */
  ask: () => Promise<unknown>;
  /** The time of the last answer as soon as none came for 8 to 12 seconds, null as soon as one comes again. */
  onSilence: (sinceMs: number | null) => void;
}

/**
 * Asks now and then whether the program is at work: one that hangs, or was stopped by the system, keeps its connection open
 * and says nothing. Gives the way to end it.
 */
export function watchPulse({ ask, onSilence }: PulseOptions): () => void {
  let isWaiting = false;
  let missed = 0;
  let heardMs = Date.now();

  function beat(): void {
    if (isWaiting) {
      missed += 1;
      if (missed === missedBeats) onSilence(heardMs);
      return;
    }
    isWaiting = true;
    void ask().then(hear, hear);
  }

  // An error is an answer too.
  function hear(): void {
    if (missed >= missedBeats) onSilence(null);
    isWaiting = false;
    missed = 0;
    heardMs = Date.now();
  }

  const timer = setInterval(beat, beatMs);
  return () => clearInterval(timer);
}
