/** Monday first. */
export const dayNames = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** All hours of the rectangle between two hours of the week, whichever of them comes first. */
export function hoursBetween(from: number, to: number): number[] {
  const [firstDay, lastDay] = sort(Math.floor(from / 24), Math.floor(to / 24));
  const [firstHour, lastHour] = sort(from % 24, to % 24);
  const hours: number[] = [];
  for (let day = firstDay; day <= lastDay; day++)
    for (let hour = firstHour; hour <= lastHour; hour++) hours.push(day * 24 + hour);
  return hours;
}

/** The hour of the week that an arrow key leads to; it stays at the edges. */
export function stepHour(hour: number, key: string): number | null {
  const [day, ofDay] = [Math.floor(hour / 24), hour % 24];
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, ofDay - 1) + day * 24;
    case 'ArrowRight':
      return Math.min(23, ofDay + 1) + day * 24;
    case 'ArrowUp':
      return ofDay + Math.max(0, day - 1) * 24;
    case 'ArrowDown':
      return ofDay + Math.min(6, day + 1) * 24;
    case 'Home':
      return day * 24;
    case 'End':
      return day * 24 + 23;
    default:
      return null;
  }
}

/** The hours of a day in words: `20–24 and 0–6`, `all day`, `not at all`. */
export function describeDayHours(isOn: readonly boolean[]): string {
  const spans: string[] = [];
  for (let hour = 0; hour < isOn.length; hour++) {
    if (!isOn[hour] || isOn[hour - 1]) continue;
    let end = hour;
    while (isOn[end]) end += 1;
    spans.push(`${hour}–${end}`);
  }
  if (spans.length === 0) return 'not at all';
  return spans[0] === '0–24' ? 'all day' : spans.join(', ');
}

function sort(one: number, other: number): [number, number] {
  return one <= other ? [one, other] : [other, one];
}
