import { createHash } from 'node:crypto';
import { readFileSync, statSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { accountToken, awsKeys, linkSignature } from './fault-catalog.ts';
import type { FaultServer } from './fault-server.ts';
import { filesIn } from './files-in.ts';

const ourSecrets = [accountToken, linkSignature, awsKeys.secretAccessKey];
/** Bytes that may be fetched twice for each connection that broke off. */
const overlapBytes = 128 * 1024;

/** What a row of the queue says of its files. */
interface FileRow {
  transfer_id: number;
  state: string;
  file_path: string | null;
  part_path: string | null;
  durable_bytes: number;
  resume_at_ms: number | null;
  error_json: string | null;
}

/** Where a queue keeps its file and what it brings. */
export interface QueuePlace {
  folder: string;
  destination: string;
}

/**
 * Checks what must hold whenever a queue has ended, however it did: I1, I3, I5, I7. Gives the number of rows, which must be
 * one of some.
 */
export function checkFiles(
  place: QueuePlace,
  sources: readonly Buffer[],
  rowCounts: readonly number[],
): number {
  const rows = readRows(place);
  expect(rowCounts, 'I5: no row is lost').toContain(rows.length);
  for (const row of rows) {
    if (row.state === 'waiting') expect(row.error_json, 'I5: whoever waits knows for what').not.toBeNull();
    if (row.part_path === null || !existsSync(row.part_path)) continue;
    const sizeBytes = statSync(row.part_path).size;
    expect(row.durable_bytes, 'I3: durable bytes are on the disk').toBeLessThanOrEqual(sizeBytes);
  }
  const digests = new Set(sources.map(digestOf));
  for (const path of finalFiles(place.destination)) {
    expect(digests.has(digestOf(readFileSync(path))), `I1, I7: ${basename(path)} is the source`).toBe(true);
  }
  return rows.length;
}

/** Paths of the files that the queue calls done. */
export function readDone(place: QueuePlace): string[] {
  return readRows(place).flatMap(({ state, file_path: path }) => (state === 'done' && path ? [path] : []));
}

/** Checks that every transfer that waits will go on by itself: I5. */
export function checkWakeConditions(place: QueuePlace): void {
  for (const row of readRows(place)) {
    if (row.state === 'waiting') expect(row.resume_at_ms, 'I5: a wake condition').not.toBeNull();
    // A name that was being given is given first of all at the next start.
    else expect(['done', 'failed', 'paused', 'cancelled', 'queued', 'finalizing']).toContain(row.state);
  }
}

/** Checks that no secret is where it doesn't belong: I2. */
export function checkSecrets(options: {
  place: QueuePlace;
  storages: readonly FaultServer[];
  log: readonly string[];
  told: readonly string[];
  secrets?: readonly string[];
}): void {
  const { place, storages, log, told, secrets = ourSecrets } = options;
  for (const { headers, path } of storages.flatMap(({ requests }) => requests)) {
    expect(headers.authorization, 'I2: no token at a storage').toBeUndefined();
    expect(headers.cookie, 'I2: no cookie at a storage').toBeUndefined();
    if (path.endsWith('.tif')) expect(headers['accept-encoding']).toBe('identity');
  }
  for (const secret of secrets) {
    for (const text of [...log, ...told]) expect(text.includes(secret), 'I2: told or logged').toBe(false);
    for (const path of filesIn(place.folder)) {
      expect(readFileSync(join(place.folder, path)).includes(secret), `I2: in ${basename(path)}`).toBe(false);
    }
  }
}

/** Checks how much was asked of the servers: I4, I6. */
export function checkBudget(
  storages: readonly FaultServer[],
  servers: readonly FaultServer[],
  budget: { requests: number; sourceBytes: number; wholes: number },
): void {
  const requests = servers.flatMap((server) => server.requests);
  const targets = requests.map(({ method, path }) => `${method} ${path}`);
  expect(requests.length, `I6: ${targets.join(', ')}`).toBeLessThanOrEqual(budget.requests);
  const bodies = storages.flatMap((server) => server.requests);
  const sentBytes = bodies.reduce((sum, request) => sum + request.sentBytes, 0);
  const mostBytes = budget.wholes * budget.sourceBytes + bodies.length * overlapBytes;
  expect(sentBytes, 'I4: bytes are fetched again').toBeLessThanOrEqual(mostBytes);
}

/** Files under final names: all but what is on its way, and what Swath writes beside them. */
export function finalFiles(destination: string): string[] {
  const beside =
    /(\.part|\.part\.json|\.bad|\.tmp|(^|\/)(item|receipt|collection|catalog|\.swath-writing|\.swath-turn)\.json)$/;
  return filesIn(destination).flatMap((path) => (beside.test(path) ? [] : [join(destination, path)]));
}

function readRows({ folder }: QueuePlace): FileRow[] {
  const path = join(folder, 'transfers.sqlite');
  if (!existsSync(path)) return [];
  // Not read-only: what a killed process left in the log beside it belongs to it.
  const database = new Database(path);
  try {
    const isThere =
      database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'transfer'").get() !== undefined;
    return isThere ? database.prepare<[], FileRow>('SELECT * FROM transfer').all() : [];
  } finally {
    database.close();
  }
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
