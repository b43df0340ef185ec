import type { Database } from 'better-sqlite3';
import { cellLevels, cellsNear, type CellRange } from '../map-cell.ts';
import type { Area } from './area.ts';
import type { CompiledQuery } from './compile-query.ts';

/** In an area beyond so many square degrees there are hardly ever few, and asking for them takes as long as a page. */
const wideArea = 400;

/** Finds Items among which all that match a query are, by their ids and by the cells of the map. */
export class Candidates {
  readonly #statements;
  /** The levels of cells with Items in them: two or three of twenty. */
  #levels = new Set<CellRange>();
  #dataVersion: number | undefined;

  constructor(database: Database) {
    this.#statements = {
      dataVersion: database.prepare<[], number>('PRAGMA data_version').pluck(),
      withIds: database
        .prepare<[string], number>('SELECT pk FROM item WHERE id IN (SELECT value FROM json_each(?))')
        .pluck(),
      isInUse: database.prepare<[number, number], number>(
        'SELECT 1 FROM item WHERE cell BETWEEN ? AND ? LIMIT 1',
      ),
      inCells: database
        .prepare<[number, number, number], number>('SELECT pk FROM item WHERE cell BETWEEN ? AND ? LIMIT ?')
        .pluck(),
    };
  }

  /** Their row numbers; null where they are more than so many, or where the query has neither ids nor an area. */
  find({ ids, area }: CompiledQuery, most: number): number[] | null {
    if (ids) return this.#statements.withIds.all(JSON.stringify(ids));
    return area && this.#findNear(area, most);
  }

  /** As `find`, but null as well where there are as good as surely more. */
  findFew(compiled: CompiledQuery, most: number): number[] | null {
    const boxes = compiled.ids === null ? (compiled.area?.boxes ?? []) : [];
    const squareDegrees = boxes.reduce((sum, [w, s, e, n]) => sum + (e - w) * (n - s), 0);
    return squareDegrees > wideArea ? null : this.find(compiled, most);
  }

  #findNear({ boxes }: Area, most: number): number[] | null {
    const levels = this.#levelsInUse();
    const found: number[] = [];
    for (const { from, to } of cellsNear(boxes, (level) => levels.has(level))) {
      for (const pk of this.#statements.inCells.all(from, to, most + 1 - found.length)) found.push(pk);
      if (found.length > most) return null;
    }
    return found;
  }

  #levelsInUse(): ReadonlySet<CellRange> {
    const { dataVersion, isInUse } = this.#statements;
    const version = dataVersion.get();
    if (version !== this.#dataVersion)
      this.#levels = new Set(cellLevels.filter(({ from, to }) => isInUse.get(from, to) !== undefined));
    this.#dataVersion = version;
    return this.#levels;
  }
}
