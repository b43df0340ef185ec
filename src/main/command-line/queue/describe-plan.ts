import type { OrderPlan, OrderProblem } from '#shared/transfer/download-order.ts';
import { sayBytes, sayCount } from './words.ts';

/** What an order would bring, in lines for a person. */
export function describePlan(plan: OrderPlan, destination: string): string[] {
  const { itemCount, fileCount, knownBytes, unknownCount, thereCount, thereBytes, queuedCount, space } = plan;
  const sized = fileCount - unknownCount;
  const sizes = [
    sized > 0 ? sayBytes(knownBytes) : null,
    unknownCount > 0 ? `${unknownCount} of unknown size` : null,
  ].filter((part) => part !== null);
  const lines = [
    `${sayCount(fileCount, 'file')} of ${sayCount(itemCount, 'item')}${sizes.length > 0 ? `, ${sizes.join(' and ')}` : ''}, to ${destination}`,
  ];
  if (thereCount > 0) lines.push(`already there: ${sayCount(thereCount, 'file')}, ${sayBytes(thereBytes)}`);
  if (queuedCount > 0)
    lines.push(
      `on the list for there already, and taken over into this order: ${sayCount(queuedCount, 'file')}`,
    );
  if (space === null) lines.push('free space: not told by the system');
  else {
    const promised =
      space.promisedBytes > 0 ? `, of which the queue needs ${sayBytes(space.promisedBytes)}` : '';
    lines.push(`free space: ${sayBytes(space.freeBytes)}${promised}`);
    if (space.leftBytes < 0)
      lines.push(
        `this is ${sayBytes(-space.leftBytes)} too little, as some stays free for other programs: the queue will wait for space`,
      );
  }
  return lines;
}

/** What can't be ordered, one a line; of many the first. */
export function describeProblems(problems: readonly OrderProblem[], count: number): string[] {
  const lines = problems.map(
    ({ itemId, assetKey, error }) =>
      `not queued: ${itemId}${assetKey === null ? '' : ` ${assetKey}`}: ${error.message}`,
  );
  return count > problems.length ? [...lines, `and ${count - problems.length} more`] : lines;
}
