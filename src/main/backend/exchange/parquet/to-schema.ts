import type { SchemaElement } from 'hyparquet';
import type { ColumnType } from './column-type.ts';

/** The elements of a Parquet schema for one column, in the order in which a file lists them. */
export function toSchemaElements(name: string, type: ColumnType): SchemaElement[] {
  const element = { name, repetition_type: 'OPTIONAL' as const };
  switch (type.kind) {
    case 'boolean':
      return [{ ...element, type: 'BOOLEAN' }];
    case 'integer':
      return [{ ...element, type: 'INT64' }];
    case 'number':
      return [{ ...element, type: 'DOUBLE' }];
    case 'json':
      return [{ ...element, type: 'BYTE_ARRAY', converted_type: 'JSON' }];
    case 'time':
      return [
        {
          ...element,
          type: 'INT64',
          converted_type: 'TIMESTAMP_MICROS',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
        },
      ];
    case 'list':
      return [
        { ...element, num_children: 1, converted_type: 'LIST' },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        ...toSchemaElements('element', type.of),
      ];
    case 'struct':
      return [
        { ...element, num_children: type.fields.size },
        ...[...type.fields].flatMap(([field, of]) => toSchemaElements(field, of)),
      ];
    default:
      return [{ ...element, type: 'BYTE_ARRAY', converted_type: 'UTF8' }];
  }
}
