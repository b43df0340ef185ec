import type { Catalogs } from '../connection/catalogs.ts';

/** Calls back when another catalog is in use: the catalogs themselves tell of every request that begins and ends. */
export function followChoice(catalogs: Catalogs, listener: () => void): () => void {
  let lastId = catalogs.current.id;
  return catalogs.onChange(() => {
    const { id } = catalogs.current;
    if (id === lastId) return;
    lastId = id;
    listener();
  });
}
