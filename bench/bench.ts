/** One comparison: ours against a reference, measured alternately in the same run. */
export interface Bench {
  name: string;
  unit: string;
  /** What `ours / reference` must not exceed. */
  targetRatio: number;
  /** Prepares, then gives the two things to time; null with the reason when the reference can't be had here. */
  prepare(): Promise<Comparison | { unavailable: string }>;
}

/** Two ways to the same end. Each runs to its end once and may return its own measure instead of the wall time. */
export interface Comparison {
  ours(): Promise<void> | void;
  reference(): Promise<void> | void;
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
}

/** Times both sides alternately and compares their medians. */
export async function measure(bench: Bench): Promise<BenchResult & { note: string }> {
  const empty = { name: bench.name, ours: null, reference: null, ratio: null, met: null };
  const common = { target: bench.targetRatio, unit: bench.unit };
  const comparison = await bench.prepare();
  if ('unavailable' in comparison) return { ...empty, ...common, note: comparison.unavailable };
  const ours: number[] = [];
  const reference: number[] = [];
  // The first round warms both up and isn't counted.
  for (let round = 0; round <= comparison.rounds; round++) {
    const oursMs = await time(() => comparison.ours());
    const referenceMs = await time(() => comparison.reference());
    if (round > 0) {
      ours.push(oursMs);
      reference.push(referenceMs);
    }
  }
  await comparison.close?.();
  const ratio = median(ours) / median(reference);
  const met = ratio <= bench.targetRatio;
  return {
    name: bench.name,
    ours: median(ours),
    reference: median(reference),
    ratio,
    met,
    ...common,
    note: '',
  };
}

async function time(work: () => Promise<void> | void): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
