import type { TransferRun } from '../run/transfer-run.ts';

/**
 * Resolves, when the server may have one more connection, to the way to give it back. Says so of the run where it has to
 * wait: others may have them all for as long as their files last.
 * @throws AppError `cancelled`
 */
export async function standInLine(run: TransferRun, origin: string): Promise<() => void> {
  const { hosts } = run.parts;
  if (hosts.hasRoom(origin)) return hosts.connect(origin, run.signal);
  run.setInLine(true);
  try {
    return await hosts.connect(origin, run.signal);
  } finally {
    run.setInLine(false);
  }
}
