import { startProgram } from './start-program.ts';

/** A demo catalog in a process of its own, so that it can go away in the middle of something. */
export interface DemoCatalog {
  baseUrl: string;
  token: string;
  port: number;
  stop(): Promise<void>;
}

/** Starts `swath demo` with few items, on any free port unless told. Each start has another token. */
export async function startDemoCatalog(dataDir: string, port = 0): Promise<DemoCatalog> {
  const { greeting, stop } = await startProgram<{ baseUrl: string; token: string }>([
    '--data-dir',
    dataDir,
    'demo',
    '--items',
    '600',
    '--port',
    String(port),
  ]);
  return { ...greeting, port: Number(new URL(greeting.baseUrl).port), stop };
}
