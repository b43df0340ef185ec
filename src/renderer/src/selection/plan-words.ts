import { maxOrderedFiles, type OrderPlan, type OrderProgress } from '#shared/transfer/download-order.ts';
import { formatBytes } from '../format/format-bytes.ts';
import { formatCount, formatPlural } from '../format/format-number.ts';
import { describeBytes } from './selection-words.ts';

/** What a plan says, line by line; what is in the way of it is a warning. */
export interface PlanLine {
  text: string;
  tone: 'plain' | 'warn' | 'bad';
}

/** `12 files, 2.31 GB + 2 unknown`. */
export function describePlan(plan: OrderPlan): string {
  if (plan.fileCount === 0) return 'Nothing to fetch';
  return `${formatPlural(plan.fileCount, 'file')}, ${describeBytes(plan)}`;
}

/** What there is to know of an order before it is given. */
export function listPlanLines(plan: OrderPlan): PlanLine[] {
  const { thereCount, thereBytes, queuedCount, problemCount, space } = plan;
  const lines: (PlanLine | null)[] = [
    plan.fileCount > maxOrderedFiles
      ? {
          text: `One order takes at most ${formatCount(maxOrderedFiles)} files. Choose fewer items or assets.`,
          tone: 'bad',
        }
      : null,
    thereCount > 0
      ? {
          text: `${formatPlural(thereCount, 'file')} (${formatBytes(thereBytes)}) ${thereCount === 1 ? 'is' : 'are'} there already and not fetched again.`,
          tone: 'plain',
        }
      : null,
    queuedCount > 0
      ? {
          text: `${formatPlural(queuedCount, 'file')} for this folder ${queuedCount === 1 ? 'is' : 'are'} on the list already${plan.fileCount > 0 ? ': taken over into this order, which goes on with what is paused' : ''}.`,
          tone: 'plain',
        }
      : null,
    problemCount > 0
      ? {
          text: `${formatPlural(problemCount, 'file')} can’t be ordered and ${problemCount === 1 ? 'is' : 'are'} left out.`,
          tone: 'warn',
        }
      : null,
    space ? describeSpace(space, plan) : null,
  ];
  return lines.filter((line) => line !== null);
}

/** What came of an order that went well; null: it was stopped. Files that were on the list before are told apart. */
export function describeOrdered(
  done: Pick<OrderProgress, 'fileCount' | 'thereCount'> | null,
  takenOverCount: number,
): { text: string; hint: string } {
  if (!done) return { text: 'Nothing was ordered', hint: 'You stopped before it was written down.' };
  const hints = [
    takenOverCount > 0 ? `${formatCount(takenOverCount)} of them on the list before.` : null,
    done.thereCount > 0 ? `${formatPlural(done.thereCount, 'further file')} there already.` : null,
  ];
  return {
    text: `${formatPlural(done.fileCount, 'file')} queued`,
    hint: hints.filter((hint) => hint !== null).join(' '),
  };
}

function describeSpace(
  { freeBytes, promisedBytes, promisedUnknownCount, leftBytes }: NonNullable<OrderPlan['space']>,
  { knownBytes, unknownCount }: OrderPlan,
): PlanLine {
  const promised =
    promisedBytes > 0 ? `, with the ${formatBytes(promisedBytes)} that the queue is to bring` : '';
  const unknown = unknownCount + promisedUnknownCount;
  if (leftBytes < 0) {
    const least = unknown > 0 ? 'at least ' : '';
    return {
      text: `Not enough room: ${least}${formatBytes(-leftBytes)} missing${promised}, as some stays free for other programs. What doesn’t fit waits for space.`,
      tone: 'bad',
    };
  }
  const sure = unknown > 0 ? ` ${formatCount(unknown)} of unknown size are not counted.` : '';
  return {
    text: `${formatBytes(freeBytes - promisedBytes - knownBytes)} stay free after it${promised}.${sure}`,
    tone: unknown > 0 && leftBytes < 1_000_000_000 ? 'warn' : 'plain',
  };
}

/** What is chosen for; `isPart`: of an answer that has more than has come. */
export function describeItems(count: number, isPart: boolean): string {
  if (isPart)
    return `Choose assets once for the ${formatPlural(count, 'item')} here. More of the answer has not come yet: load it first to have all.`;
  return count === 1 ? 'Choose assets, and where they go.' : 'Choose assets once for all of them.';
}
