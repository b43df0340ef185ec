import type { Database } from 'better-sqlite3';
import type { Geometry } from 'geojson';
import { AppError } from '#shared/errors/app-error.ts';
import { areaKm2OfGeometry } from '#shared/geo/measure-area.ts';
import { countVertices } from '#shared/geo/polygons-of.ts';

/** An area with its name. */
export interface NamedArea {
  name: string;
  geometry: Geometry;
}

/** A kept area in a list. */
export interface KeptArea {
  areaId: number;
  name: string;
  areaKm2: number;
  vertexCount: number;
}

/** Areas that a person keeps under a name. */
export interface AreaStore {
  /** All of them by name. */
  list(): KeptArea[];
  /** @throws AppError `saved.not-found` */
  get(areaId: number): NamedArea;
  /** @throws AppError `saved.name-taken` */
  keep(area: NamedArea, createdAtMs: number): number;
  /** @throws AppError `saved.not-found`, `saved.name-taken` */
  rename(areaId: number, name: string): void;
  /** @throws AppError `saved.not-found` */
  remove(areaId: number): NamedArea;
  /** Calls back after each change; returns the way to stop. */
  onChange(listener: () => void): () => void;
}

interface AreaRow {
  areaId: number;
  name: string;
  geometry: string;
}

/** Prepares the statements of the area table. */
export function createAreaStore(database: Database): AreaStore {
  const selectAll = database.prepare<[], AreaRow>(
    'SELECT area_id AS areaId, name, geometry FROM area ORDER BY name COLLATE NOCASE, area_id',
  );
  const selectOne = database.prepare<[number], AreaRow>(
    'SELECT area_id AS areaId, name, geometry FROM area WHERE area_id = ?',
  );
  const insert = database.prepare('INSERT INTO area (name, geometry, created_at_ms) VALUES (?, ?, ?)');
  const update = database.prepare('UPDATE area SET name = ? WHERE area_id = ?');
  const erase = database.prepare('DELETE FROM area WHERE area_id = ?');
  const listeners = new Set<() => void>();
  // Sizes are measured once for each area: a list is asked for after every change of one.
  const known = new Map<number, { areaKm2: number; vertexCount: number }>();

  function measure({ areaId, geometry }: AreaRow): { areaKm2: number; vertexCount: number } {
    const measured = known.get(areaId) ?? measureGeometry(JSON.parse(geometry) as Geometry);
    known.set(areaId, measured);
    return measured;
  }

  function get(areaId: number): NamedArea {
    const row = selectOne.get(areaId);
    if (!row) throw new AppError('saved.not-found', `There is no area ${areaId}`);
    return { name: row.name, geometry: JSON.parse(row.geometry) as Geometry };
  }

  function tell(): void {
    for (const listener of listeners) listener();
  }

  return {
    list: () => selectAll.all().map((row) => ({ areaId: row.areaId, name: row.name, ...measure(row) })),
    get,
    keep({ name, geometry }, createdAtMs) {
      const { lastInsertRowid } = refuseTakenName(name, () =>
        insert.run(name, JSON.stringify(geometry), createdAtMs),
      );
      tell();
      return Number(lastInsertRowid);
    },
    rename(areaId, name) {
      get(areaId);
      refuseTakenName(name, () => update.run(name, areaId));
      tell();
    },
    remove(areaId) {
      const area = get(areaId);
      erase.run(areaId);
      known.delete(areaId);
      tell();
      return area;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function measureGeometry(geometry: Geometry): { areaKm2: number; vertexCount: number } {
  return { areaKm2: areaKm2OfGeometry(geometry), vertexCount: countVertices(geometry) };
}

function refuseTakenName<Result>(name: string, change: () => Result): Result {
  try {
    return change();
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code !== 'SQLITE_CONSTRAINT_UNIQUE') throw thrown;
    throw new AppError('saved.name-taken', `Another area is called ${name}`, {
      details: { name },
      cause: thrown,
    });
  }
}
