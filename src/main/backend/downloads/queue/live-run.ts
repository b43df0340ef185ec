import type { TransferRow } from './transfer-row.ts';

/** A transfer that has a slot, as far as others are told of it. */
export interface LiveRun {
  readonly row: Readonly<TransferRow>;
  /** Aborted when somebody else has decided about the transfer's state. */
  readonly signal: AbortSignal;
  /** Whether its server can't have one more connection now. */
  readonly isInLine: boolean;
  /** Bytes in hand now, and how fast they come. */
  readonly receivedBytes: number;
  bytesPerSecond(nowMs: number): number;
  /** The same over a longer while. */
  pace(nowMs: number): number;
  /** Since when nothing comes of what was asked for, in milliseconds since 1970; null while it does, or is soon to. */
  readonly quietSinceMs: number | null;
}
