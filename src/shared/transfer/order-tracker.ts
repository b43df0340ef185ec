import type { ErrorCode } from '../errors/error-codes.ts';
import { isSettled, type Transfer } from './transfer.ts';

/** What has to be told of an order, wherever the person is. */
export type OrderNews =
  | {
      /** Nothing of the order goes on by itself any more. */
      kind: 'ended';
      downloadId: number;
      doneCount: number;
      /** Of those done, how many had their checksum proved, and are there as they came as far as is known. */
      verifiedCount: number;
      /** Of those done, how many were missing or changed when they were looked at again. */
      lostCount: number;
      failedCount: number;
      pausedCount: number;
      cancelledCount: number;
    }
  | {
      /** Transfers wait for something that only a person can do. Told once, until none of them waits for it. */
      kind: 'stuck';
      code: ErrorCode;
      /** The first order that it was found in. */
      downloadId: number;
    };

/** What a person has to do something about while transfers wait. */
const needsPerson: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'auth.required',
  'auth.client-refused',
  'auth.secret-missing',
  'link.credentials',
  'transfer.disk-full',
  'transfer.destination-missing',
  'transfer.destination-not-writable',
]);

type Standing = Pick<Transfer, 'downloadId' | 'state' | 'verification' | 'finding'> & {
  code: ErrorCode | null;
};

/** Follows all transfers and finds what has to be told: one message an order, never one a file. */
export class OrderTracker {
  readonly #byId = new Map<number, Standing>();
  readonly #idsOf = new Map<number, Set<number>>();
  /** Orders of which something came to its end that is not told yet, and whether by more than a person's hand. */
  #worked = new Map<number, boolean>();
  readonly #toldCodes = new Set<ErrorCode>();

  /** Forgets everything, as before a first list. */
  clear(): void {
    this.#byId.clear();
    this.#idsOf.clear();
    this.#worked = new Map();
  }

  /**
   * Takes what changed and gives the news of it, of what comes in pieces with the last one. While the list of a start comes
   * in, `isNews` is false: what ended before is not told again.
   */
  take(changes: {
    changed: readonly Transfer[];
    removed: readonly number[];
    isNews: boolean;
    isComplete?: boolean;
  }): OrderNews[] {
    const worked = this.#worked;
    for (const transfer of changes.changed) {
      const before = this.#byId.get(transfer.transferId);
      if (before) this.#compare(before, transfer);
      // Refused at once, it was never seen on its way.
      else if (changes.isNews && transfer.state === 'failed') worked.set(transfer.downloadId, true);
      this.#put(transfer);
    }
    for (const transferId of changes.removed) {
      const before = this.#byId.get(transferId);
      if (before) this.#leave(before.downloadId, transferId);
      this.#byId.delete(transferId);
    }
    if (changes.isComplete === false) return [];
    this.#worked = new Map();
    const stuck = this.#findStuck(changes.isNews);
    if (!changes.isNews) return [];
    return [...[...worked].flatMap((ended) => this.#findEnd(...ended) ?? []), ...stuck];
  }

  #compare(before: Standing, { transferId, downloadId, state }: Transfer): void {
    // A transfer may be taken over by a later order.
    if (before.downloadId !== downloadId) this.#leave(before.downloadId, transferId);
    // A small file that is tried again may be here before it was seen on its way.
    const isHere = state === 'done' && before.state !== 'done';
    if (!isHere && (isSettled(before.state) || !isSettled(state))) return;
    this.#worked.set(downloadId, (this.#worked.get(downloadId) ?? false) || isEnd(state));
  }

  #put({ transferId, downloadId, state, verification, finding, waiting }: Transfer): void {
    const code = state === 'waiting' ? (waiting?.error.code ?? null) : null;
    this.#byId.set(transferId, { downloadId, state, verification, finding, code });
    const ids = this.#idsOf.get(downloadId) ?? new Set();
    this.#idsOf.set(downloadId, ids.add(transferId));
  }

  #leave(downloadId: number, transferId: number): void {
    this.#idsOf.get(downloadId)?.delete(transferId);
  }

  #findEnd(downloadId: number, hasWorked: boolean): OrderNews | null {
    const all = [...(this.#idsOf.get(downloadId) ?? [])].flatMap((id) => this.#byId.get(id) ?? []);
    if (all.some(({ state }) => !isSettled(state))) return null;
    const count = (is: (one: Standing) => boolean): number => all.filter(is).length;
    const doneCount = count(({ state }) => state === 'done');
    const failedCount = count(({ state }) => state === 'failed');
    const pausedCount = count(({ state }) => state === 'paused');
    // Whoever paused or cancelled the last of it knows; what is paused is no end, and what failed is told with that.
    if (doneCount + failedCount === 0 || (pausedCount > 0 && !hasWorked)) return null;
    if ((pausedCount > 0 || !hasWorked) && failedCount === 0) return null;
    const isLost = ({ state, finding }: Standing) => state === 'done' && finding !== null;
    return {
      kind: 'ended',
      downloadId,
      doneCount,
      verifiedCount: count((one) => one.state === 'done' && one.verification === 'checksum' && !isLost(one)),
      lostCount: count(isLost),
      failedCount,
      pausedCount,
      cancelledCount: count(({ state }) => state === 'cancelled'),
    };
  }

  #findStuck(isNews: boolean): OrderNews[] {
    const present = new Map<ErrorCode, number>();
    for (const { code, downloadId } of this.#byId.values())
      if (code !== null && needsPerson.has(code) && !present.has(code)) present.set(code, downloadId);
    for (const code of [...this.#toldCodes]) if (!present.has(code)) this.#toldCodes.delete(code);
    const fresh = [...present].filter(([code]) => !this.#toldCodes.has(code));
    // Of what was so at the start the list itself tells.
    for (const [code] of fresh) this.#toldCodes.add(code);
    return isNews ? fresh.map(([code, downloadId]) => ({ kind: 'stuck', code, downloadId })) : [];
  }
}

function isEnd(state: Transfer['state']): boolean {
  return state === 'done' || state === 'failed';
}
