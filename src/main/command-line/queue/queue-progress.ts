import { countUnsettled, type QueueStatus } from '#shared/transfer/queue-status.ts';
import { isSettled, type Transfer } from '#shared/transfer/transfer.ts';
import { toPrintable } from '../to-printable.ts';
import { describeNotice } from './describe-notice.ts';
import { sayBytes, sayCount, sayDuration, sayProblem } from './words.ts';

interface QueueProgress {
  update(changes: { changed: readonly Transfer[]; queue: QueueStatus; isComplete: boolean }): void;
  /** Takes the updating line away. */
  end(): void;
}

interface Options {
  say: (line: string) => void;
  isTerminal: boolean;
  isQuiet: boolean;
}

const intervalMs = 10_000;

/**
 * Shows how a queue goes: what ends, and what waits for something new, in a line each; the whole in one line that a
 * terminal writes over, and that is told every ten seconds elsewhere.
 */
export function createQueueProgress({ say, isTerminal, isQuiet }: Options): QueueProgress {
  const saidOf = new Map<number, string>();
  let saidHold = '';
  let saidNotice: string | null = null;
  let toldAtMs = -Infinity;
  let isFirst = true;
  const overwrite = (text: string): void => void process.stderr.write(`\r\u001b[2K${text}`);

  function tell(line: string): void {
    if (isTerminal) overwrite('');
    say(line);
  }

  function note(one: Transfer): void {
    const said = describeEvent(one);
    const before = saidOf.get(one.transferId);
    saidOf.set(one.transferId, said);
    // What was at its end before this began is no news.
    if (isFirst && isSettled(one.state)) return;
    if (said !== '' && said !== before) tell(`${one.itemId} ${one.assetKey}: ${said}`);
  }

  return {
    update({ changed, queue, isComplete }) {
      if (isQuiet) return;
      const notice = describeNotice(queue);
      if (notice !== null && notice !== saidNotice) tell(notice);
      saidNotice = notice;
      for (const one of changed) note(one);
      if (!isComplete) return;
      isFirst = false;
      const hold = queue.hold === null ? '' : describeHold(queue.hold);
      if (hold !== saidHold && hold !== '') tell(hold);
      saidHold = hold;
      const nowMs = performance.now();
      if (isTerminal) {
        overwrite(toPrintable(describeQueue(queue)).slice(0, (process.stderr.columns || 80) - 1));
      } else if (nowMs - toldAtMs >= intervalMs) {
        toldAtMs = nowMs;
        say(describeQueue(queue));
      }
    },
    end() {
      if (isTerminal && !isQuiet) overwrite('');
    },
  };
}

function describeEvent({ state, waiting, verification, error }: Transfer): string {
  if (state === 'done') return verification === 'checksum' ? 'done and verified' : 'done, not verifiable';
  if (state === 'failed') return `failed: ${error?.message ?? ''}`;
  return waiting ? `waits: ${sayProblem(waiting.error)}` : '';
}

function describeHold({ error, resumeAt }: NonNullable<QueueStatus['hold']>): string {
  return `nothing runs now: ${sayProblem(error)}${resumeAt === null ? '' : `; looked at again at ${resumeAt}`}`;
}

function describeQueue({
  counts,
  leftBytes,
  unknownCount,
  bytesPerSecond,
  secondsLeft,
}: QueueStatus): string {
  const unknown = unknownCount > 0 ? ` and ${unknownCount} of unknown size` : '';
  const time = secondsLeft === null ? '' : `, ${sayDuration(secondsLeft)} left`;
  return `${sayCount(countUnsettled(counts), 'file')} to come, ${sayBytes(leftBytes)}${unknown}, ${sayBytes(bytesPerSecond)}/s${time}`;
}
