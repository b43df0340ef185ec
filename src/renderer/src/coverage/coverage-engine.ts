import type { CoverageAnswer, CoverageRequest } from './coverage-messages.ts';

/** Measures coverage somewhere else than where the window is drawn. */
export interface CoverageEngine {
  send: (request: CoverageRequest) => void;
  /** Ends it; nothing is answered after this. */
  stop: () => void;
}

/** Begins to measure; each answer goes to `onAnswer`. */
export type StartCoverageEngine = (onAnswer: (answer: CoverageAnswer) => void) => CoverageEngine;

/** An engine in a worker of its own: what an earlier question left to do ends with its worker. */
export const startCoverageWorker: StartCoverageEngine = (onAnswer) => {
  const worker = new Worker(new URL('./coverage-worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<CoverageAnswer>) => onAnswer(data));
  return {
    send: (request) => worker.postMessage(request),
    stop: () => worker.terminate(),
  };
};
