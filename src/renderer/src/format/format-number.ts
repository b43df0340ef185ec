const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** `1,180`. */
export function formatCount(count: number): string {
  return grouped.format(count);
}

/** `1 file`, `4 files`. */
export function formatPlural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** At most `digits` digits after the point, none of them a trailing zero: `4.2`, `61.83`. */
export function formatDecimal(value: number, digits: number): string {
  return new Intl.NumberFormat('en', { maximumFractionDigits: digits }).format(value);
}
