/** Bars that are chosen, both ends included. */
export interface BrushRange {
  from: number;
  to: number;
}

/** What a person has hold of. */
export type BrushGrip = 'from' | 'to' | 'middle' | 'new';

/** The brush after its grip has gone from one bar to another. */
export function dragBrush(
  grip: BrushGrip,
  before: BrushRange,
  { start, now, barCount }: { start: number; now: number; barCount: number },
): BrushRange {
  const last = barCount - 1;
  const at = Math.min(last, Math.max(0, now));
  if (grip === 'new') return { from: Math.min(start, at), to: Math.max(start, at) };
  if (grip === 'middle') {
    const step = Math.min(last - before.to, Math.max(-before.from, now - start));
    return { from: before.from + step, to: before.to + step };
  }
  // A handle that is drawn over the other one stops there.
  if (grip === 'from') return { from: Math.min(at, before.to), to: before.to };
  return { from: before.from, to: Math.max(at, before.from) };
}

/** Where a key moves a handle to; null for keys that are none of its. */
export function stepHandle(key: string, at: number, barCount: number): number | null {
  const large = Math.max(5, Math.round(barCount / 10));
  const steps: Partial<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -large,
    PageUp: large,
    Home: -Infinity,
    End: Infinity,
  };
  const step = steps[key];
  return step === undefined ? null : Math.min(barCount - 1, Math.max(0, at + step));
}
