import { readFileSync } from 'node:fs';

// Columns of the line `cpu` of `/proc/stat` (proc(5)): user, nice, system, idle, iowait, irq, softirq, steal.
const [idleColumn, waitColumn, stealColumn] = [3, 4, 7];
const columnCount = 8;

/** Begins to look; gives the share of the processors' busy time, in percent, that went to other machines of the same host. */
export function watchStolenTime(): () => number | null {
  const before = readTimes();
  return () => {
    const after = readTimes();
    if (before === null || after === null) return null;
    const spent = after.map((time, column) => time - (before[column] ?? 0));
    const busy = spent.reduce(
      (sum, time, column) => (column === idleColumn || column === waitColumn ? sum : sum + time),
      0,
    );
    return busy > 0 ? (100 * (spent[stealColumn] ?? 0)) / busy : 0;
  };
}

// Null where the system doesn't tell.
function readTimes(): number[] | null {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    return line
      .split(/\s+/)
      .slice(1, 1 + columnCount)
      .map(Number);
  } catch {
    return null;
  }
}
