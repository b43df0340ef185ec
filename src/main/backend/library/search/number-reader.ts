import { firstCode, missingInteger, type ColumnChunk } from '../columns/column-chunk.ts';

/** Gives the number of the Item in a slot; NaN where it has none, or another kind of value. */
export type NumberReader = (slot: number) => number;

/** Reads a column as numbers. */
export function createNumberReader(chunk: ColumnChunk | null): NumberReader {
  switch (chunk?.kind) {
    case 'numbers': {
      const { values, scale } = chunk;
      if (values instanceof Float64Array) return (slot) => values[slot] ?? NaN;
      return (slot) => {
        const value = values[slot] ?? missingInteger;
        return value === missingInteger ? NaN : value / scale;
      };
    }
    case 'times': {
      const { values } = chunk;
      return (slot) => values[slot] ?? NaN;
    }
    case 'dictionary':
      return (slot) => {
        const place = chunk.places[(chunk.codes[slot] ?? 0) - firstCode];
        const value = place === undefined ? null : chunk.pool.values[place];
        return typeof value === 'number' ? value : NaN;
      };
    default:
      return () => NaN;
  }
}

/** Reads a column of cloud covers; a text isn't one, even where it names a time. */
export function readCloudCover(chunk: ColumnChunk | null): NumberReader {
  const read = createNumberReader(chunk?.kind === 'times' ? null : chunk);
  return (slot) => {
    const value = read(slot);
    return Number.isFinite(value) ? value : NaN;
  };
}
