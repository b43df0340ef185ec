import { parseDatetimeInterval } from '#shared/stac/datetime-interval.ts';
import { cloudCoverOf } from '#shared/stac/item.ts';
import { builtIn, propertyColumn } from '../columns/column-names.ts';
import { createNumberReader, readCloudCover } from './number-reader.ts';
import { bindRange } from './number-test.ts';
import { createSlotTest, createTableTest } from './slot-selection.ts';
import { verdicts, type Term } from './term.ts';

/** Items of some collections, given by their row numbers. Where a block has no Item in a slot, there is nothing to find. */
export function createCollectionTerm(collectionPks: readonly number[]): Term {
  const wanted = new Uint8Array(Math.max(0, ...collectionPks) + 1);
  for (const pk of collectionPks) wanted[pk] = verdicts.yes;
  return {
    readsItem: false,
    accepts: ({ collectionPk }) => wanted[collectionPk] === verdicts.yes,
    bind(columns) {
      const chunk = columns.column(builtIn.collection);
      if (chunk?.kind !== 'numbers') return verdicts.no;
      return createTableTest(chunk.values, wanted);
    },
  };
}

/**
 * Both ends are included (field notes §3.4); an Item without any time matches no interval.
 * @throws AppError `input.invalid`
 */
export function createTimeTerm(datetime: string): Term {
  const interval = parseDatetimeInterval(datetime);
  const from = interval.startMicros ?? -Infinity;
  const to = interval.endMicros ?? Infinity;
  return {
    readsItem: false,
    accepts: ({ startMicros, endMicros }) =>
      startMicros !== null && endMicros !== null && startMicros <= to && endMicros >= from,
    bind(columns) {
      const [starts, ends] = [columns.column(builtIn.start), columns.column(builtIn.end)];
      const areInstants = starts?.kind === 'times' && ends?.kind === 'times' && starts.values === ends.values;
      if (areInstants) return bindRange({ values: starts.values, scale: 1 }, { from, to });
      const [start, end] = [createNumberReader(starts), createNumberReader(ends)];
      return createSlotTest((slot) => (start(slot) <= to && end(slot) >= from ? verdicts.yes : verdicts.no));
    },
  };
}

/** Items that have a cloud cover: the others are left out when sorting by it, as the service does it. */
export const cloudCoverTerm: Term = {
  readsItem: true,
  accepts: (facts) => cloudCoverOf(facts.item()) !== null,
  bind(columns) {
    const chunk = columns.column(propertyColumn('eo:cloud_cover'));
    if (!chunk) return columns.isOverflowing ? verdicts.unsure : verdicts.no;
    const cloudCover = readCloudCover(chunk);
    return createSlotTest((slot) => (Number.isNaN(cloudCover(slot)) ? verdicts.no : verdicts.yes));
  },
};
