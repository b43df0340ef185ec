import { constants, zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { ItemSpool } from '../item-spool.ts';
import { toSpoolPath, type OutputFile } from '../output-file.ts';
import { patchColumn } from '../parquet/item-of-row.ts';
import { rowOfItem } from '../parquet/row-of-item.ts';
import { TableColumns } from '../parquet/table-columns.ts';
import { toSchemaElements } from '../parquet/to-schema.ts';
import type { ItemWriter, WritePlan } from './item-writer.ts';

/** Rows whose columns are in memory together. */
const rowsPerGroup = 5000;
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** stac-geoparquet: whole Items in the columns of a GeoParquet 1.1 file, for DuckDB, GDAL, pandas and the like. */
export async function createGeoparquetWriter(file: OutputFile, plan: WritePlan): Promise<ItemWriter> {
  const spool = await ItemSpool.begin(toSpoolPath(file.temporaryPath));
  const columns = new TableColumns();
  return {
    async add(items) {
      for (const one of items) columns.learn(one);
      await spool.add(items);
    },
    async finish(onWritten) {
      const table = new TableWriter(file, columns, plan);
      for await (const items of spool.batches()) {
        await table.add(items);
        onWritten(items.length);
      }
      await table.finish();
    },
    close: () => spool.discard(),
  };
}

class TableWriter {
  readonly #file: OutputFile;
  readonly #columns: ReturnType<TableColumns['settle']>;
  readonly #bytes = new ByteWriter();
  readonly #table: ParquetWriter;
  #rows: Record<string, unknown>[] = [];

  constructor(file: OutputFile, columns: TableColumns, plan: WritePlan) {
    this.#file = file;
    this.#columns = columns.settle();
    this.#table = new ParquetWriter({
      writer: this.#bytes,
      schema: [
        { name: 'schema', num_children: this.#columns.size + 2 },
        { name: 'geometry', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
        ...[...this.#columns].flatMap(([name, type]) => toSchemaElements(name, type)),
        ...toSchemaElements(patchColumn, { kind: 'text' }),
      ],
      codec: 'ZSTD',
      compressors: { ZSTD: (input) => zstdCompressSync(input, compression) },
      kvMetadata: toMetadata(columns, plan),
      createdBy: 'Swath',
    });
  }

  async add(items: readonly IdentifiedItem[]): Promise<void> {
    for (const one of items) this.#rows.push(rowOfItem(one, this.#columns));
    if (this.#rows.length >= rowsPerGroup) await this.#writeGroup();
  }

  async finish(): Promise<void> {
    if (this.#rows.length > 0) await this.#writeGroup();
    await this.#table.finish();
    await this.#flush();
  }

  async #writeGroup(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    const names = ['geometry', ...this.#columns.keys(), patchColumn];
    const unsorted = ['geometry', patchColumn, 'links', 'assets'];
    await this.#table.write({
      columnData: names.map((name) => ({
        name,
        data: rows.map((row) => row[name]),
        statistics: !unsorted.includes(name),
      })),
      rowGroupSize: rows.length,
    });
    await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#file.write(this.#bytes.getBytes().slice());
    this.#bytes.index = 0;
  }
}

function toMetadata(columns: TableColumns, plan: WritePlan) {
  const { collections } = plan;
  const asOf = plan.asOf();
  const [single, second] = collections;
  const byId = Object.fromEntries(collections.map((one) => [one.id, one]));
  return [
    { key: 'geo', value: JSON.stringify(columns.geo) },
    { key: 'stac-geoparquet', value: JSON.stringify({ version: '1.0.0', collections: byId }) },
    ...(single && !second ? [{ key: 'stac:collection', value: JSON.stringify(single) }] : []),
    ...(asOf ? [{ key: 'swath:as-of', value: asOf }] : []),
  ];
}
