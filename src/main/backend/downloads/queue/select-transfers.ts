import type { ErrorData } from '#shared/errors/app-error.ts';
import type { TransferFilter } from '#shared/transfer/transfer-filter.ts';
import type { RowChanges, TransferRow } from './transfer-row.ts';

/** Where each fact of a transfer that may change is kept. */
export const transferColumns: Readonly<Record<keyof RowChanges, string>> = {
  state: 'state',
  error: 'error_json',
  resumeAtMs: 'resume_at_ms',
  attempts: 'attempts',
  progressAtMs: 'progress_at_ms',
  progressBytes: 'progress_bytes',
  restarts: 'restarts',
  filePath: 'file_path',
  partPath: 'part_path',
  nameKey: 'name_key',
  mediaType: 'media_type',
  announcedBytes: 'announced_bytes',
  announcedChecksum: 'announced_checksum',
  totalBytes: 'total_bytes',
  durableBytes: 'durable_bytes',
  etag: 'etag',
  lastModified: 'last_modified',
  lastModifiedAgeMs: 'last_modified_age_ms',
  sourceOrigin: 'source_origin',
  linkKind: 'link_kind',
  verification: 'verification',
  digest: 'digest',
  startedAtMs: 'started_at_ms',
  finishedAtMs: 'finished_at_ms',
  cancelId: 'cancel_id',
  dropAtMs: 'drop_at_ms',
  stateBefore: 'state_before',
  finding: 'finding',
  checkedAtMs: 'checked_at_ms',
  deaths: 'deaths',
};

/** Leaves out transfers of an order that is still being written down. */
export const isInQueue = 'download_id NOT IN (SELECT download_id FROM download WHERE queued_at_ms IS NULL)';

/** Selects whole transfers, as `toTransferRow` reads them. */
export const selectTransfers = `
  SELECT t.transfer_id AS transferId, t.download_id AS downloadId, d.connection_id AS connectionId,
    i.collection_id AS collectionId, i.item_id AS itemId, t.asset_key AS assetKey, d.destination AS destination,
    d.link_mode AS linkMode, d.s3_access AS s3Access, t.priority AS priority, t.position AS position,
    ${Object.entries(transferColumns)
      .map(([name, column]) => `t.${column} AS "${name}"`)
      .join(', ')}
  FROM transfer t JOIN download d ON d.download_id = t.download_id AND d.queued_at_ms IS NOT NULL
    JOIN download_item i ON i.item_pk = t.item_pk`;

/**
 * A bound value in a join that is asked for by each transfer. SQLite's planner looks at the values of bare parameters
 * (its `STAT4`) and compiles a join anew whenever one is bound: ten times the work of answering. A sign hides the value.
 */
export const bound = '+?';

/** The same by its name. */
export const boundAs = (name: string): string => `+$${name}`;

/** The queue's order. */
export const byRank = 'ORDER BY t.priority DESC, t.position';

type StoredRow = Omit<TransferRow, 'error'> & { error: string | null };

/** A transfer as it was selected. */
export function toTransferRow(stored: unknown): TransferRow {
  const row = stored as StoredRow;
  return { ...row, error: row.error === null ? null : (JSON.parse(row.error) as ErrorData) };
}

/** A fact as it is kept. */
export function toStored(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** What stands after `SET` in an UPDATE of a row, and the values that it takes. */
export function toAssignments(changes: RowChanges): { sql: string; values: unknown[] } {
  const names = Object.keys(changes) as (keyof RowChanges)[];
  return {
    sql: names.map((name) => `${transferColumns[name]} = ?`).join(', '),
    values: names.map((name) => toStored(changes[name])),
  };
}

/** A filter as what stands after `WHERE`, by the columns of `transfer`, and the values that it takes. */
export function toCondition(filter: TransferFilter): { sql: string; values: unknown[] } {
  const terms: [string, unknown][] = [];
  if (filter.transferIds)
    terms.push(['transfer_id IN (SELECT value FROM json_each(?))', JSON.stringify(filter.transferIds)]);
  if (filter.downloadId !== undefined) terms.push(['download_id = ?', filter.downloadId]);
  if (filter.states) terms.push(['state IN (SELECT value FROM json_each(?))', JSON.stringify(filter.states)]);
  return {
    sql: [...terms.map(([sql]) => sql), isInQueue].join(' AND '),
    values: terms.map(([, value]) => value),
  };
}
