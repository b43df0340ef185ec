import { geoJSONToWkt } from 'betterknown';
import { bboxOf, footprintOf, propertiesOf, type IdentifiedItem } from '#shared/stac/item.ts';
import { knownColumns, toCell, toColumnName, toTextCell, type Cell } from '../csv-cell.ts';
import { writeRecords } from '../csv-records.ts';
import { tooLarge } from '../exchange-error.ts';
import { flatPropertiesOf } from '../flat-properties.ts';
import { ItemSpool } from '../item-spool.ts';
import { exchangeLimits } from '../limits.ts';
import { toSpoolPath, type OutputFile } from '../output-file.ts';
import { toRfc7946 } from '../rfc7946-geometry.ts';
import type { ItemWriter, WritePlan } from './item-writer.ts';

const { west, south, east, north, geometry } = knownColumns;
const boxColumns = [west[0], south[0], east[0], north[0]];
const byteOrderMark = '\ufeff';

/** CSV for tables (RFC 4180): one item a record, safe to open in a spreadsheet. */
export async function createCsvWriter(file: OutputFile, plan: WritePlan): Promise<ItemWriter> {
  const spool = await ItemSpool.begin(toSpoolPath(file.temporaryPath));
  const names = new Set<string>(plan.properties ?? []);
  names.delete('datetime');
  return {
    async add(items) {
      if (plan.properties === null) for (const { item } of items) addNames(names, item);
      await spool.add(items);
    },
    async finish(onWritten) {
      const properties = [...names];
      const header = [
        'id',
        'collection',
        'datetime',
        ...properties.map(toColumnName),
        ...boxColumns,
        geometry[0],
      ];
      if (plan.hasByteOrderMark) await file.write(byteOrderMark);
      await file.write(writeRecords([header.map((name) => ({ ...toTextCell(name), isQuoted: false }))]));
      for await (const items of spool.batches()) {
        await file.write(writeRecords(items.map((one) => toCells(one, properties))));
        onWritten(items.length);
      }
    },
    close: () => spool.discard(),
  };
}

function addNames(names: Set<string>, item: IdentifiedItem['item']): void {
  for (const [name] of flatPropertiesOf(item, null)) if (name !== 'datetime') names.add(name);
  if (names.size <= exchangeLimits.columns) return;
  throw tooLarge({
    why: `These items have more than ${exchangeLimits.columns.toLocaleString('en-GB')} properties.`,
    mend: 'Choose which of them become columns.',
  });
}

function toCells({ ref, item }: IdentifiedItem, properties: readonly string[]): Cell[] {
  const values = propertiesOf(item);
  const footprint = footprintOf(item);
  const box = bboxOf(item) ?? [];
  return [
    ...[ref.itemId, ref.collectionId, values['datetime']].map(toCell),
    ...properties.map((name) => toCell(Object.hasOwn(values, name) ? values[name] : null)),
    ...boxColumns.map((_, index) => toCell(box[index])),
    toCell(footprint && geoJSONToWkt(toRfc7946(footprint))),
  ];
}
