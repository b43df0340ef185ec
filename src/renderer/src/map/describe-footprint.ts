import type { ItemRow } from '#shared/stac/item-row.ts';

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** What tells one footprint from another at a glance: its day or days (UTC) and its clouds. */
export function describeFootprint({ datetime, endDatetime, cloudCover }: ItemRow): string[] {
  const facts: string[] = [];
  const time = datetime === null ? NaN : Date.parse(datetime);
  const endTime = endDatetime === undefined ? time : Date.parse(endDatetime);
  if (time <= endTime) facts.push(dayFormat.formatRange(time, endTime));
  else if (Number.isFinite(time)) facts.push(dayFormat.format(time));
  if (cloudCover !== null) facts.push(`${Math.round(cloudCover)} % cloud`);
  return facts;
}
