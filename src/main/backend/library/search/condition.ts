import type { StacItem } from '#shared/stac/item.ts';

/** A piece of a WHERE clause with its parameters, in order. */
export interface SqlCondition {
  sql: string;
  parameters: readonly (string | number)[];
}

/** What can't be said in SQL: asked of each candidate's JSON. */
export type ItemTest = (collectionPk: number, item: StacItem) => boolean;
