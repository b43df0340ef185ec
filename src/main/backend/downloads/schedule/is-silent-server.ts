import type { TransferRun } from '../run/transfer-run.ts';

// A server may be silent about some files and give others: it is left alone when so many for each place get nothing.
const quietForEach = 2;

/**
 * Whether a server gives nothing to so many, and at least half, of the runs that ask it: others would learn nothing new. Of one
 * that has fallen silent again and again (`isSluggish`) fewer find out whether it speaks.
 */
export function isSilentServer(
  origin: string,
  {
    runs,
    isSluggish,
    mostAtOnce,
  }: {
    runs: readonly Pick<TransferRun, 'origin' | 'quietSinceMs' | 'row'>[];
    isSluggish: boolean;
    mostAtOnce: number;
  },
): boolean {
  const asking = runs.filter((run) => run.origin === origin && isFetching(run));
  const quietCount = asking.filter(({ quietSinceMs }) => quietSinceMs !== null).length;
  const leastQuiet = mostAtOnce * (isSluggish ? 1 : quietForEach);
  return quietCount >= leastQuiet && quietCount * 2 >= asking.length;
}

function isFetching({ row: { state } }: Pick<TransferRun, 'row'>): boolean {
  return state === 'preparing' || state === 'downloading';
}
