import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { TransferFilter } from '#shared/transfer/transfer-filter.ts';
import type { TransfersState, VerifyProgress } from './transfers-state.svelte.ts';

type Finding = VerifyProgress['results'][number]['result'];

/** How far a second look at files is, and what it found. */
export interface Verification {
  totalCount: number;
  doneCount: number;
  found: Record<Finding, number>;
  isDone: boolean;
  error: AppError | null;
}

/** Reads files that are done again; one look at a time. */
export class VerificationState {
  readonly #transfers: TransfersState;
  #current = $state.raw<Verification | null>(null);
  #stop: (() => void) | null = null;

  constructor(transfers: TransfersState) {
    this.#transfers = transfers;
  }

  /** Null when none was begun, or its result was read. */
  get current(): Verification | null {
    return this.#current;
  }

  /** Looks at the files of these; an earlier look ends. */
  start(which: TransferFilter, totalCount: number): void {
    this.#stop?.();
    this.#current = {
      totalCount,
      doneCount: 0,
      found: { ok: 0, missing: 0, changed: 0, unreadable: 0 },
      isDone: false,
      error: null,
    };
    this.#stop = this.#transfers.verify(which, {
      onProgress: (progress) => this.#take(progress),
      onError: (thrown) => {
        if (this.#current) this.#current = { ...this.#current, isDone: true, error: toAppError(thrown) };
      },
    });
  }

  /** Ends the look, or takes its result away. */
  dismiss(): void {
    this.#stop?.();
    this.#stop = null;
    this.#current = null;
  }

  #take({ totalCount, doneCount, results, isDone }: VerifyProgress): void {
    if (!this.#current) return;
    const found = { ...this.#current.found };
    for (const { result } of results) found[result] += 1;
    this.#current = { ...this.#current, totalCount, doneCount, found, isDone };
  }
}
