/**
 * How a catalog wants its searches written, found out from what it refused: open intervals in the standard form
 * (field notes §3.4), and GET where POST, which is an option of STAC APIs, is not there.
 */
export type WireHabit = 'standard-interval' | 'get-only';

/** Remembers how a catalog wants its searches written. */
export interface WireHabits {
  has(habit: WireHabit): boolean;
  learn(habit: WireHabit): void;
}

/** Remembers for as long as the client lives. */
export function createWireHabits(known: readonly WireHabit[] = []): WireHabits {
  const habits = new Set<WireHabit>(known);
  return { has: (habit) => habits.has(habit), learn: (habit) => void habits.add(habit) };
}
