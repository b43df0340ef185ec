/** `96 %`, `< 1 %` for what is not nothing, and `99 %` for what is not all. */
export function formatPercent(percent: number): string {
  if (percent > 0 && percent < 1) return '<\u00a01\u00a0%';
  if (percent > 99 && percent < 100) return '99\u00a0%';
  return `${Math.round(percent)}\u00a0%`;
}
