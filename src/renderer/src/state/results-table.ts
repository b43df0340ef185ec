import type { ItemRow } from '#shared/stac/item-row.ts';
import { NumberColumn, TextColumn, type Column } from './results-columns.ts';
import { toItemKey } from '#shared/stac/item-key.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import { explainNoPlace } from './results-place.ts';

/**
 * Names of the columns that every answer has. Those with an `@` are made here; the others are properties under their own
 * name, and a property column is called as the property is.
 */
export const builtIn = {
  collection: '@collection',
  id: '@id',
  month: '@month',
  day: '@day',
  cloudBand: '@cloud-band',
  /** Per cent of the area of the question that the row's footprint covers. */
  coverage: '@coverage',
  /** Per cent of that area that all footprints of the row's day cover together. */
  dayCoverage: '@day-coverage',
  /** Whether a saved search had not brought it before. */
  isNew: '@new',
  /** Why the map can't show the row; none where it can. */
  noPlace: '@no-place',
  /** Milliseconds since 1970 in UTC. */
  time: 'datetime',
  cloud: 'eo:cloud_cover',
  platform: 'platform',
} as const;

const cloudBands = [
  { below: 5, text: '0–5 %' },
  { below: 20, text: '5–20 %' },
  { below: 50, text: '20–50 %' },
  { below: Infinity, text: '50–100 %' },
];

/** Texts of the cloud bands, clearest first. */
export const cloudBandTexts: readonly string[] = cloudBands.map(({ text }) => text);

/** All rows of an answer and their columns. It only grows; an answer begins with a new one. */
export class ResultTable {
  readonly rows: ItemRow[] = [];
  /** For each row its place among all that the program gave; it left out those that came twice. */
  readonly givenIndexes: number[] = [];
  readonly time = new NumberColumn();
  readonly cloud = new NumberColumn();
  readonly coverage = new NumberColumn();
  readonly dayCoverage = new NumberColumn();
  readonly collection = new TextColumn();
  readonly platform = new TextColumn();
  readonly month = new TextColumn();
  readonly day = new TextColumn();
  readonly #id = new TextColumn();
  readonly #cloudBand = new TextColumn();
  readonly #isNew = new TextColumn();
  readonly #noPlace = new TextColumn();
  readonly #columns = new Map<string, Column>([
    [builtIn.collection, this.collection],
    [builtIn.id, this.#id],
    [builtIn.platform, this.platform],
    [builtIn.month, this.month],
    [builtIn.day, this.day],
    [builtIn.cloudBand, this.#cloudBand],
    [builtIn.isNew, this.#isNew],
    [builtIn.noPlace, this.#noPlace],
    [builtIn.time, this.time],
    [builtIn.cloud, this.cloud],
    [builtIn.coverage, this.coverage],
    [builtIn.dayCoverage, this.dayCoverage],
  ]);
  readonly #indexOf = new Map<string, number>();

  /** Adds a page, with what is known of each of its rows. */
  append(
    rows: readonly ItemRow[],
    about: { givenIndexes: readonly number[]; isNewSince: readonly boolean[] },
  ): void {
    for (const [place, row] of rows.entries()) {
      this.#indexOf.set(toItemKey(row), this.rows.length);
      this.rows.push(row);
      this.givenIndexes.push(about.givenIndexes[place] ?? this.givenIndexes.length);
      const timeMs = row.datetime === null ? NaN : Date.parse(row.datetime);
      const iso = Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString();
      this.time.push(timeMs);
      this.cloud.push(row.cloudCover);
      this.#id.push(row.itemId);
      this.collection.push(row.collectionId);
      this.platform.push(row.platform);
      this.month.push(iso && iso.slice(0, -17));
      this.day.push(iso && iso.slice(0, -14));
      this.#cloudBand.push(toCloudBand(row.cloudCover));
      this.#isNew.push(about.isNewSince[place] ? 'yes' : 'no');
      this.#noPlace.push(explainNoPlace(row));
    }
  }

  /** A column, or null when it is not here: properties are fetched when they are first needed. */
  column(name: string): Column | null {
    return this.#columns.get(name) ?? null;
  }

  setColumn(name: string, column: Column): void {
    this.#columns.set(name, column);
  }

  /** The row of an Item; -1 when it is not among them. */
  indexOf(ref: ItemRef): number {
    return this.#indexOf.get(toItemKey(ref)) ?? -1;
  }
}

function toCloudBand(cloudCover: number | null): string | null {
  return cloudCover === null ? null : (cloudBands.find(({ below }) => cloudCover < below)?.text ?? null);
}
