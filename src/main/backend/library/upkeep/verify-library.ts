import Database from 'better-sqlite3';
import { bboxOf, cloudCoverOf, timeOf } from '#shared/stac/item.ts';
import { shapesOf, unpackItem, type ShapeSource } from '../item-json.ts';
import { boxIfAstray } from '../columns/footprint-place.ts';
import { missingDatetimeMicros } from '../item-slice.ts';
import { cellOf } from '../map-cell.ts';
import { partOf, report, type WorkWatch } from './work-watch.ts';

/**
 * What can be wrong: the file's pages and indexes, rows that refer to nothing, an Item that can't be read, an Item whose
 * columns differ from its JSON.
 */
export type ProblemKind = 'structure' | 'reference' | 'unreadable-item' | 'wrong-column';

/** How often something is wrong, with one example in words. */
export interface VerifyProblem {
  kind: ProblemKind;
  count: number;
  example: string;
}

/** What a check found. Without problems the library is sound. */
export interface VerifyFindings {
  itemCount: number;
  /** Items whose JSON was read and compared. */
  readCount: number;
  problems: VerifyProblem[];
}

/** In a check that isn't thorough, about so many Items are read. */
const sampleSize = 20_000;
const itemsPerStep = 500;

/**
 * Checks a library from its pages up to its Items. A thorough check reads every Item, else an even sample is read.
 * @throws AppError `cancelled`
 */
export function verifyLibrary(
  database: Database.Database,
  { isThorough, watch }: { isThorough: boolean; watch: WorkWatch },
): VerifyFindings {
  const problems = new ProblemList();
  checkStructure(database, { problems, watch: partOf(watch, 0, 0.5) });
  const findings = { itemCount: 0, readCount: 0, problems: problems.all };
  problems.catchDamage(() => {
    findings.itemCount = database.prepare<[], number>('SELECT count(*) FROM item').pluck().get() ?? 0;
    checkReferences(database, problems);
    report(watch, 0.6);
    const stride = isThorough ? 1 : Math.max(1, Math.floor(findings.itemCount / sampleSize));
    findings.readCount = readItems(database, { stride, problems, watch: partOf(watch, 0.6, 1) });
  });
  report(watch, 1);
  return findings;
}

/** What a check found, as it is noted among what was done to a library. */
export function toFacts({
  itemCount,
  readCount,
  problems,
}: VerifyFindings): Record<string, string | number | null> {
  return {
    itemCount,
    readCount,
    problemCount: problems.reduce((sum, { count }) => sum + count, 0),
    ...Object.fromEntries(problems.map(({ kind, count }) => [kind, count])),
    example: problems[0]?.example ?? null,
  };
}

class ProblemList {
  readonly all: VerifyProblem[] = [];

  add(kind: ProblemKind, example: string, count = 1): void {
    if (count === 0) return;
    const known = this.all.find((problem) => problem.kind === kind);
    if (known) known.count += count;
    else this.all.push({ kind, count, example });
  }

  /** A damaged page met on the way is a finding. */
  catchDamage(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      this.add('structure', thrown.message);
    }
  }
}

/** Whether SQLite met a page that can't be right. */
export function isDamage(thrown: unknown): thrown is Error {
  return (
    thrown instanceof Database.SqliteError &&
    (thrown.code.startsWith('SQLITE_CORRUPT') || thrown.code === 'SQLITE_NOTADB')
  );
}

interface Checking {
  problems: ProblemList;
  watch: WorkWatch;
}

// Table by table, because a check of all at once can neither be followed nor stopped.
function checkStructure(database: Database.Database, { problems, watch }: Checking): void {
  problems.catchDamage(() => {
    const tables = database
      .prepare<[], string>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`,
      )
      .pluck()
      .all();
    tables.forEach((table, index) => {
      report(watch, index / tables.length);
      problems.catchDamage(() => {
        const lines = database.pragma(`integrity_check("${table}")`) as { integrity_check: string }[];
        const wrong = lines.map((line) => line.integrity_check).filter((text) => text !== 'ok');
        problems.add('structure', wrong[0] ?? '', wrong.length);
      });
    });
  });
}

function checkReferences(database: Database.Database, problems: ProblemList): void {
  const rows = database.pragma('foreign_key_check') as { table: string; parent: string }[];
  const [first] = rows;
  if (first) problems.add('reference', `${first.table} refers to a missing ${first.parent}`, rows.length);
}

interface ItemRow {
  pk: number;
  id: string;
  datetime: number;
  start: number | null;
  end: number | null;
  cloudCover: number | null;
  west: number | null;
  south: number | null;
  east: number | null;
  north: number | null;
  cell: number | null;
  zstd: Buffer | null;
}

function readItems(
  database: Database.Database,
  { stride, problems, watch }: Checking & { stride: number },
): number {
  const last = database.prepare<[], number>('SELECT max(pk) FROM item').pluck().get() ?? 0;
  const select = database.prepare<[number, number, number], ItemRow>(
    `SELECT pk, id, datetime_us AS datetime, start_us AS start, end_us AS end, cloud_cover AS cloudCover,
       west, south, east, north, cell, zstd
     FROM item LEFT JOIN item_json ON item_pk = pk WHERE pk > ? AND pk <= ? AND pk % ? = 0`,
  );
  const shapes = shapesOf(database);
  const span = itemsPerStep * stride;
  let readCount = 0;
  for (let from = 0; from < last; from += span) {
    report(watch, from / last);
    problems.catchDamage(() => {
      for (const row of select.iterate(from, from + span, stride)) {
        readCount += 1;
        checkItem(row, { problems, shapes });
      }
    });
  }
  return readCount;
}

function checkItem(row: ItemRow, { problems, shapes }: { problems: ProblemList; shapes: ShapeSource }): void {
  try {
    if (row.zstd === null) throw new Error('no JSON');
    const item = unpackItem(row.zstd, shapes);
    const { datetimeMicros, startMicros, endMicros } = timeOf(item);
    const box = bboxOf(item);
    const [west = null, south = null, east = null, north = null] = box ?? [];
    const derived = [
      datetimeMicros ?? missingDatetimeMicros,
      startMicros,
      endMicros,
      cloudCoverOf(item),
      west,
      south,
      east,
      north,
      box && cellOf(boxIfAstray(item) ?? box),
    ];
    const { cloudCover, cell } = row;
    const kept = [
      row.datetime,
      row.start,
      row.end,
      cloudCover,
      row.west,
      row.south,
      row.east,
      row.north,
      cell,
    ];
    if (derived.some((value, index) => value !== kept[index])) problems.add('wrong-column', row.id);
  } catch {
    problems.add('unreadable-item', row.id);
  }
}
