import { watchStolenTime } from './stolen-time.ts';

/** One comparison: ours against a reference, measured alternately in the same run. */
export interface Bench {
  name: string;
  unit: string;
  target: Target;
  /** Prepares, then gives the two things to measure; the reason when they can't be had here. */
  prepare(): Promise<Comparison | { unavailable: string }>;
}

/** What must not be exceeded: `ours / reference`, or ours by itself in the bench's unit; the reference is for scale then. */
export type Target = { ratio: number } | { limit: number };

/** Two ways to the same end. Each runs to its end once; a number it gives is its measure instead of the wall time in ms. */
export interface Comparison {
  ours(): unknown;
  reference(): unknown;
  close?(): Promise<void> | void;
  rounds: number;
}

/** A line of the report. Nulls where it couldn't be measured. */
export interface BenchResult {
  name: string;
  ours: number | null;
  reference: number | null;
  ratio: number | null;
  target: number;
  met: boolean | null;
  unit: string;
  /** The share of the processors' time that the host gave to other machines meanwhile, percent; null where nobody knows. */
  stolenPercent: number | null;
}

/** Measures both sides alternately and compares their medians. */
export async function measure(bench: Bench): Promise<BenchResult & { note: string }> {
  const { name, unit, target } = bench;
  const common = { name, target: 'limit' in target ? target.limit : target.ratio, unit, stolenPercent: null };
  const comparison = await bench.prepare();
  if ('unavailable' in comparison)
    return { ...common, ours: null, reference: null, ratio: null, met: null, note: comparison.unavailable };
  try {
    const endWatch = watchStolenTime();
    const { ours, reference } = await runRounds(comparison);
    const stolenPercent = endWatch();
    const ratio = ours / reference;
    const met = 'limit' in target ? ours <= target.limit : ratio <= target.ratio;
    return { ...common, stolenPercent, ours, reference, ratio, met, note: '' };
  } finally {
    await comparison.close?.();
  }
}

async function runRounds(comparison: Comparison): Promise<{ ours: number; reference: number }> {
  const ours: number[] = [];
  const reference: number[] = [];
  // The first round warms both up and isn't counted.
  for (let round = 0; round <= comparison.rounds; round++) {
    const oursNow = await take(() => comparison.ours());
    const referenceNow = await take(() => comparison.reference());
    if (round > 0) {
      ours.push(oursNow);
      reference.push(referenceNow);
    }
  }
  return { ours: median(ours), reference: median(reference) };
}

async function take(work: () => unknown): Promise<number> {
  const startMs = performance.now();
  const own = await work();
  return typeof own === 'number' ? own : performance.now() - startMs;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
