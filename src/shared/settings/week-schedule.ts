import { z } from 'zod';

/** Hours of a week. */
export const weekHours = 168;
const hourMs = 3_600_000;

/** Hours of a week in local time: hour `day * 24 + hour`, from Monday 00:00. */
export const weekScheduleSchema = z.object({ hours: z.array(z.boolean()).length(weekHours) });

/** Hours of a week in local time. */
export type WeekSchedule = z.infer<typeof weekScheduleSchema>;

/** Whether a moment is in one of the hours. `nowMs` since 1970 UTC; the hours are those of this computer's clock. */
export function isInSchedule({ hours }: WeekSchedule, nowMs: number): boolean {
  const now = new Date(nowMs);
  return hours[((now.getDay() + 6) % 7) * 24 + now.getHours()] ?? false;
}

/**
 * The next moment at which the schedule begins or ends, in milliseconds since 1970 UTC; null when it never does. Goes
 * from one local hour to the next, so that days of 23 and 25 hours are as the clock on the wall shows them.
 */
export function nextScheduleChangeMs(schedule: WeekSchedule, nowMs: number): number | null {
  const isIn = isInSchedule(schedule, nowMs);
  let atMs = nowMs;
  // A week and a day: the hour that is left out in spring may be the only one.
  for (let hour = 0; hour <= weekHours + 24; hour += 1) {
    atMs = nextLocalHourMs(atMs);
    if (isInSchedule(schedule, atMs) !== isIn) return atMs;
  }
  return null;
}

function nextLocalHourMs(nowMs: number): number {
  const now = new Date(nowMs);
  const next = new Date(now.getFullYear(), now.getMonth(), now.getDate(), now.getHours() + 1).getTime();
  // An hour that the clock shows twice begins twice.
  return next > nowMs && next - nowMs <= hourMs ? next : nowMs - (nowMs % hourMs) + hourMs;
}
