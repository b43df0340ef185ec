import type { OpenCatalog } from '../connection/catalogs.ts';
import type { TakeOfflineParts } from './take-offline.ts';

/**
 * Works with a catalog until the settings have it reached in another way: its answers would go on to be those of the
 * server that it was at. `signal` ends the work, too. False where the connection is another one now, and the work is to
 * be taken up with that.
 */
export async function whileSameConnection(
  { connection, id }: OpenCatalog,
  { catalogs, signal }: { catalogs: TakeOfflineParts['catalogs']; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const other = new AbortController();
  const isOther = (): boolean => {
    try {
      return catalogs.open(id).connection !== connection;
    } catch {
      return true;
    }
  };
  const stop = catalogs.onChange(() => isOther() && other.abort());
  try {
    await work(AbortSignal.any([signal, other.signal]));
    return true;
  } catch (thrown) {
    if (other.signal.aborted && !signal.aborted) return false;
    throw thrown;
  } finally {
    stop();
  }
}
