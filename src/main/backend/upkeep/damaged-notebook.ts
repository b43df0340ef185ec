import { isAbsolute } from 'node:path';
import type { Geometry } from 'geojson';
import { z } from 'zod';
import { errorDataSchema } from '#shared/errors/app-error.ts';
import { offlineChoiceSchema } from '#shared/offline/offline-job.ts';
import { savedQuestionSchema, type SavedQuestion } from '#shared/search/saved-question.ts';
import { assetRuleSchema, type AssetRule } from '#shared/selection/asset-rule.ts';
import { toGeometry } from '#shared/stac/geometry.ts';
import { ruleTermsSchema, type RuleTerms } from '#shared/transfer/download-rule.ts';
import { openPages } from '../library/upkeep/damaged-pages.ts';
import { findFreePages, readRows, type FoundRow, type RowValue } from '../library/upkeep/damaged-rows.ts';
import {
  offlineProgressSchema,
  storedJobStates,
  type StoredOfflineJob,
} from '../notebook/offline-job-store.ts';
import type { Pin, PinKind } from '../notebook/pin-store.ts';
import { MarkCollector, type FoundMarks } from './damaged-marks.ts';

/** What a person made, as it was found in the rows of a damaged notebook. */
export interface FoundNotes {
  searches: {
    searchId: number;
    connectionId: string;
    name: string;
    question: SavedQuestion;
    createdAtMs: number;
    lookedAtMs: number | null;
  }[];
  /** What was seen of the answers of saved searches, and what can't be told from it. */
  marks: FoundMarks;
  /** The rules of saved searches, without what they have dealt with. */
  rules: { searchId: number; terms: RuleTerms; isOn: boolean; createdAtMs: number }[];
  /** What was taken offline, without what was still to come. */
  jobs: StoredOfflineJob[];
  areas: { areaId: number; name: string; geometry: Geometry; createdAtMs: number }[];
  pins: (Pin & { createdAtMs: number })[];
  folders: { connectionId: string; path: string; usedAtMs: number }[];
  assetRules: { connectionId: string; collectionId: string; rule: AssetRule }[];
}

const pinKinds: readonly unknown[] = ['search', 'area', 'collection'] satisfies PinKind[];
/** Row numbers are smaller, and milliseconds since 1970 larger. */
const earliestMs = 1e12;

const json = <Schema extends z.ZodType>(schema: Schema) => z.string().transform(tryParse).pipe(schema);

/** A row of `download_rule`. */
const ruleRow = z.tuple([
  z.null(),
  json(ruleTermsSchema),
  z.number(),
  z.number(),
  z.number(),
  z.string().nullable(),
]);

/** A row of `offline_job`. */
const jobRow = z.tuple([
  z.null(),
  z.string(),
  z.string(),
  json(savedQuestionSchema),
  json(offlineChoiceSchema),
  z.enum(storedJobStates),
  json(errorDataSchema).nullable(),
  json(offlineProgressSchema),
  z.number(),
  z.number().nullable(),
]);

/** Reads what can be read, page by page: tables are told apart by their rows, as what names them may be damaged. */
export function readDamagedNotebook(filePath: string): FoundNotes {
  const found: FoundNotes = {
    searches: [],
    marks: { seen: new Map(), either: new Map() },
    rules: [],
    jobs: [],
    areas: [],
    pins: [],
    folders: [],
    assetRules: [],
  };
  const marks = new MarkCollector();
  const pages = openPages(filePath);
  try {
    const free = findFreePages(pages);
    for (let number = 1; number <= pages.pageCount; number += 1) {
      if (free.has(number)) continue;
      for (const row of readRows(pages, number)) {
        takeRow(found, row);
        marks.add(row, number);
      }
    }
    found.marks = marks.find(pages);
  } finally {
    pages.close();
  }
  return found;
}

function takeRow(found: FoundNotes, { rowNumber, values }: FoundRow): void {
  if (rowNumber !== null) takeNumbered(found, rowNumber, values);
  else takeKeyed(found, values);
}

// Tables with a number of their own store NULL in its place.
function takeNumbered(found: FoundNotes, rowNumber: number, values: FoundRow['values']): void {
  if (values[0] !== null) return;
  if (values.length === 10) takeSearchOrJob(found, rowNumber, values);
  else if (values.length === 6) takeRule(found, rowNumber, values);
  else if (values.length === 4) {
    const [, name, text, createdAtMs] = values;
    const geometry = toGeometry(tryParse(text));
    if (typeof name !== 'string' || !geometry || typeof createdAtMs !== 'number') return;
    found.areas.push({ areaId: rowNumber, name, geometry, createdAtMs });
  }
}

function takeSearchOrJob(found: FoundNotes, rowNumber: number, values: FoundRow['values']): void {
  const job = jobRow.safeParse(values).data;
  if (job) {
    const [, connectionId, name, question, choice, state, error, progress, startedAtMs, finishedAtMs] = job;
    const order = { connectionId, name, question, choice };
    found.jobs.push({ jobId: rowNumber, ...order, state, error, progress, startedAtMs, finishedAtMs });
    return;
  }
  const [, connectionId, name, question, createdAtMs, lookedAtMs] = values;
  const asked = savedQuestionSchema.safeParse(tryParse(question));
  if (!asked.success || values[9] !== null || typeof createdAtMs !== 'number') return;
  if (typeof connectionId !== 'string' || typeof name !== 'string') return;
  found.searches.push({
    searchId: rowNumber,
    connectionId,
    name,
    question: asked.data,
    createdAtMs,
    lookedAtMs: typeof lookedAtMs === 'number' ? lookedAtMs : null,
  });
}

function takeRule(found: FoundNotes, searchId: number, values: FoundRow['values']): void {
  const rule = ruleRow.safeParse(values).data;
  if (!rule) return;
  const [, terms, isOn, , createdAtMs] = rule;
  found.rules.push({ searchId, terms, isOn: isOn === 1, createdAtMs });
}

function takeKeyed(found: FoundNotes, [connectionId, second, ...rest]: FoundRow['values']): void {
  if (typeof connectionId !== 'string' || typeof second !== 'string') return;
  if (rest.length === 2) takePin(found, connectionId, [second, ...rest]);
  else if (rest.length === 1) takeRuleOrFolder(found, connectionId, [second, rest[0]]);
}

function takePin(found: FoundNotes, connectionId: string, [kind, ref, createdAtMs]: RowValue[]): void {
  if (!pinKinds.includes(kind) || typeof ref !== 'string' || typeof createdAtMs !== 'number') return;
  found.pins.push({ connectionId, kind: kind as PinKind, ref, createdAtMs });
}

function takeRuleOrFolder(
  { assetRules, folders }: FoundNotes,
  connectionId: string,
  [name, value]: [string, RowValue | undefined],
): void {
  const rule = assetRuleSchema.safeParse(tryParse(value));
  if (rule.success) assetRules.push({ connectionId, collectionId: name, rule: rule.data });
  else if (typeof value === 'number' && value > earliestMs && isAbsolute(name))
    folders.push({ connectionId, path: name, usedAtMs: value });
}

function tryParse(text: unknown): unknown {
  if (typeof text !== 'string') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
