import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { errorDataSchema, type ErrorData } from '#shared/errors/app-error.ts';
import {
  offlineChoiceSchema,
  offlineCountsSchema,
  offlineStageSchema,
  type OfflineChoice,
} from '#shared/offline/offline-job.ts';
import { savedQuestionSchema, type SavedQuestion } from '#shared/search/saved-question.ts';
import type { ItemRef } from '#shared/stac/item.ts';

const pageRequestSchema = z.object({
  url: z.string(),
  method: z.enum(['GET', 'POST']),
  headers: z.record(z.string(), z.string()),
  json: z.record(z.string(), z.unknown()).exactOptional(),
});

/** How far a job has come, and how it goes on. */
export const offlineProgressSchema = offlineCountsSchema.extend({
  stage: offlineStageSchema,
  /** The record of this search in the library, and how many Items went into it. */
  searchNumber: z.number().int().nullable(),
  recordedCount: z.number().int(),
  /** Whether pages are gone through once more from the first, and only what is missing is fetched. */
  isCatchingUp: z.boolean(),
  /** Whether the catalog's pages came to no end, and were left: Items may be missing. */
  isEndless: z.boolean().default(false),
  /** The process that is at it; null while none is. One that ended without a word is known by its number. */
  runnerPid: z.number().int().nullable().default(null),
  /** When that process last gave a sign. */
  seenAtMs: z.number().default(0),
  /** Where the next page is, and on which address of the catalog; null before the first page. */
  next: z.object({ baseUrl: z.string(), request: pageRequestSchema }).nullable(),
});

/** How far a job has come, and how it goes on. */
export type OfflineProgress = z.infer<typeof offlineProgressSchema>;

/** `active` jobs go on by themselves. */
export const storedJobStates = ['active', 'paused', 'cancelled', 'failed', 'done'] as const;

/** One of the states that a job is kept in. */
export type StoredJobState = (typeof storedJobStates)[number];

/** Something to be taken offline, as it is kept. */
export interface StoredOfflineJob {
  jobId: number;
  connectionId: string;
  name: string;
  question: SavedQuestion;
  choice: OfflineChoice;
  state: StoredJobState;
  error: ErrorData | null;
  progress: OfflineProgress;
  startedAtMs: number;
  finishedAtMs: number | null;
}

/** What is still to come of an Item. */
export type TodoKind = 'picture' | 'files';

/** An Item of which something is still to come. */
export interface Todo {
  position: number;
  ref: ItemRef;
}

/** What is being taken offline, and what was. */
export interface OfflineJobStore {
  /** All jobs, oldest first. */
  list(): StoredOfflineJob[];
  find(jobId: number): StoredOfflineJob | null;
  add(job: Pick<StoredOfflineJob, 'connectionId' | 'name' | 'question' | 'choice'>, nowMs: number): number;
  /** Takes in a job of another notebook, or one that was removed. */
  bringBack(job: Omit<StoredOfflineJob, 'jobId'>): void;
  setState(jobId: number, state: StoredJobState, end: { error: ErrorData | null; nowMs: number }): void;
  /** Takes note of how far a job has come and of what is still to come, in one transaction. */
  saveProgress(
    jobId: number,
    progress: OfflineProgress,
    todo?: { pictures: readonly ItemRef[]; files: readonly ItemRef[] },
  ): void;
  /** What is next to come, of those that have not failed. */
  nextTodo(jobId: number, kind: TodoKind, limit: number): Todo[];
  /** Takes note of what came, or could not, and how far that brings the job, in one transaction. */
  settleTodo(
    jobId: number,
    settled: { kind: TodoKind; done: readonly number[]; failed: readonly number[] },
    progress: OfflineProgress,
  ): void;
  /** Takes what failed up again; returns how many of each kind. */
  retryFailed(jobId: number): Record<TodoKind, number>;
  /** Forgets what is still to come: the job begins anew. */
  clearTodo(jobId: number): void;
  remove(jobId: number): void;
}

/** Nothing done yet. */
export const noProgress: OfflineProgress = {
  stage: 'items',
  itemCount: 0,
  matched: null,
  missedCount: 0,
  pictureCount: 0,
  pictureTotal: 0,
  pictureFailedCount: 0,
  fileCount: 0,
  fileFailedCount: 0,
  fileItemsLeft: 0,
  receivedBytes: 0,
  searchNumber: null,
  recordedCount: 0,
  isCatchingUp: false,
  isEndless: false,
  runnerPid: null,
  seenAtMs: 0,
  next: null,
};

/** What a job is to begin with that has to go through all pages once more: what is here isn't fetched again. */
export function anew({ matched, receivedBytes, runnerPid, seenAtMs }: OfflineProgress): OfflineProgress {
  return { ...noProgress, matched, receivedBytes, runnerPid, seenAtMs, isCatchingUp: true };
}

/**
 * A job of which nobody knows any more what is still to come: it goes through all pages again, and fetches what isn't
 * here.
 */
export function withoutTodo(job: StoredOfflineJob): Omit<StoredOfflineJob, 'jobId'> {
  const { jobId: _, ...rest } = job;
  const { state, progress } = job;
  const isDone = state === 'done';
  if (isDone && progress.pictureFailedCount + progress.fileFailedCount + progress.missedCount === 0)
    return rest;
  return { ...rest, state: isDone ? 'paused' : state, progress: anew(progress), finishedAtMs: null };
}

interface Row {
  jobId: number;
  connectionId: string;
  name: string;
  question: string;
  choice: string;
  state: StoredJobState;
  error: string | null;
  progress: string;
  startedAtMs: number;
  finishedAtMs: number | null;
}

interface TodoRow {
  position: number;
  collectionId: string;
  itemId: string;
}

/** Prepares the statements. */
export function createOfflineJobStore(database: Database): OfflineJobStore {
  const select = (condition: string) =>
    database.prepare<unknown[], Row>(
      `SELECT job_id AS jobId, connection_id AS connectionId, name, question, choice, state, error, progress,
         started_at_ms AS startedAtMs, finished_at_ms AS finishedAtMs
       FROM offline_job WHERE ${condition} ORDER BY job_id`,
    );
  const all = select('true');
  const byId = select('job_id = ?');
  // Not with RETURNING: better-sqlite3's `get` says nothing where the disk is full at the commit.
  const insert = database.prepare(
    `INSERT INTO offline_job (connection_id, name, question, choice, state, progress, started_at_ms)
     VALUES (?, ?, ?, ?, 'active', ?, ?)`,
  );
  const insertWhole = database.prepare(
    `INSERT INTO offline_job
       (connection_id, name, question, choice, state, error, progress, started_at_ms, finished_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateState = database.prepare(
    'UPDATE offline_job SET state = ?, error = ?, finished_at_ms = ? WHERE job_id = ?',
  );
  const updateProgress = database.prepare('UPDATE offline_job SET progress = ? WHERE job_id = ?');
  const erase = database.prepare('DELETE FROM offline_job WHERE job_id = ?');
  const lastPosition = database
    .prepare<unknown[], number>(
      'SELECT coalesce(max(position), 0) FROM offline_todo WHERE job_id = ? AND kind = ?',
    )
    .pluck();
  const insertTodo = database.prepare(
    'INSERT INTO offline_todo (job_id, kind, position, collection_id, item_id) VALUES (?, ?, ?, ?, ?)',
  );
  const selectTodo = database.prepare<unknown[], TodoRow>(
    `SELECT position, collection_id AS collectionId, item_id AS itemId FROM offline_todo
     WHERE job_id = ? AND kind = ? AND is_failed = 0 ORDER BY position LIMIT ?`,
  );
  const eraseTodo = database.prepare(
    'DELETE FROM offline_todo WHERE job_id = ? AND kind = ? AND position = ?',
  );
  const failTodo = database.prepare(
    'UPDATE offline_todo SET is_failed = 1 WHERE job_id = ? AND kind = ? AND position = ?',
  );
  const takeUpFailed = database.prepare(
    'UPDATE offline_todo SET is_failed = 0 WHERE job_id = ? AND kind = ? AND is_failed = 1',
  );
  const eraseAllTodo = database.prepare('DELETE FROM offline_todo WHERE job_id = ?');

  // What a job asks never changes, its area may be long, and lists are asked for several times a second.
  const orders = new Map<number, Pick<StoredOfflineJob, 'question' | 'choice'>>();

  function toJobs(row: Row): StoredOfflineJob[] {
    const order = orders.get(row.jobId) ?? readOrder(row);
    const job = order && readJob(row, order);
    if (order) orders.set(row.jobId, order);
    return job ? [job] : [];
  }

  const writeProgress = (jobId: number, progress: OfflineProgress): void =>
    void updateProgress.run(JSON.stringify(progress), jobId);

  function addTodo(jobId: number, kind: TodoKind, refs: readonly ItemRef[]): void {
    let position = refs.length === 0 ? 0 : (lastPosition.get(jobId, kind) ?? 0);
    for (const { collectionId, itemId } of refs) {
      position += 1;
      insertTodo.run(jobId, kind, position, collectionId, itemId);
    }
  }

  return {
    list: () => all.all().flatMap(toJobs),
    find: (jobId) => byId.all(jobId).flatMap(toJobs)[0] ?? null,
    add: ({ connectionId, name, question, choice }, nowMs) => {
      const texts = [question, choice, noProgress].map((value) => JSON.stringify(value));
      return Number(insert.run(connectionId, name, ...texts, nowMs).lastInsertRowid);
    },
    bringBack: ({ connectionId, name, question, choice, state, error, progress, ...times }) =>
      void insertWhole.run(
        connectionId,
        name,
        JSON.stringify(question),
        JSON.stringify(choice),
        state,
        error && JSON.stringify(error),
        JSON.stringify(progress),
        times.startedAtMs,
        times.finishedAtMs,
      ),
    setState: (jobId, state, { error, nowMs }) => {
      const isEnded = state === 'done' || state === 'failed' || state === 'cancelled';
      updateState.run(state, error && JSON.stringify(error), isEnded ? nowMs : null, jobId);
    },
    saveProgress: database.transaction(
      (...[jobId, progress, todo]: Parameters<OfflineJobStore['saveProgress']>) => {
        writeProgress(jobId, progress);
        addTodo(jobId, 'picture', todo?.pictures ?? []);
        addTodo(jobId, 'files', todo?.files ?? []);
      },
    ),
    nextTodo: (jobId, kind, limit) =>
      selectTodo.all(jobId, kind, limit).map(({ position, ...ref }) => ({ position, ref })),
    settleTodo: database.transaction(
      (...[jobId, settled, progress]: Parameters<OfflineJobStore['settleTodo']>) => {
        for (const position of settled.done) eraseTodo.run(jobId, settled.kind, position);
        for (const position of settled.failed) failTodo.run(jobId, settled.kind, position);
        writeProgress(jobId, progress);
      },
    ),
    retryFailed: (jobId) => ({
      picture: takeUpFailed.run(jobId, 'picture').changes,
      files: takeUpFailed.run(jobId, 'files').changes,
    }),
    clearTodo: (jobId) => void eraseAllTodo.run(jobId),
    remove: (jobId) => void erase.run(jobId),
  };
}

// What another version wrote may not read as a job any more; it stays in the file for that version.
function readOrder({ question, choice }: Row): Pick<StoredOfflineJob, 'question' | 'choice'> | null {
  const read = {
    question: savedQuestionSchema.safeParse(JSON.parse(question)),
    choice: offlineChoiceSchema.safeParse(JSON.parse(choice)),
  };
  if (!read.question.success || !read.choice.success) return null;
  return { question: read.question.data, choice: read.choice.data };
}

function readJob(
  { jobId, connectionId, name, state, startedAtMs, finishedAtMs, ...row }: Row,
  order: Pick<StoredOfflineJob, 'question' | 'choice'>,
): StoredOfflineJob | null {
  const progress = offlineProgressSchema.safeParse(JSON.parse(row.progress));
  const error = errorDataSchema.nullable().safeParse(JSON.parse(row.error ?? 'null'));
  if (!progress.success || !error.success) return null;
  return {
    jobId,
    connectionId,
    name,
    ...order,
    state,
    error: error.data,
    progress: progress.data,
    startedAtMs,
    finishedAtMs,
  };
}
