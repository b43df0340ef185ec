import type { S3Access } from '#shared/connection/s3-access.ts';
import type { ErrorData } from '#shared/errors/app-error.ts';
import type { LinkMode, TransferState, Verification } from '#shared/transfer/transfer.ts';
import type { ResolvedLink } from '../../links/link.ts';

/** A transfer as the queue keeps it. Sizes in bytes, times in milliseconds since 1970 UTC. Never a link. */
export interface TransferRow {
  readonly transferId: number;
  readonly downloadId: number;
  readonly connectionId: string;
  readonly collectionId: string;
  readonly itemId: string;
  readonly assetKey: string;
  readonly destination: string;
  readonly linkMode: LinkMode;
  /** Whether the user's own AWS credentials may be used; null: as the connection says. */
  readonly s3Access: S3Access | null;
  /** 1 high, 0 normal, -1 low; within it `position` decides. */
  readonly priority: number;
  readonly position: number;
  state: TransferState;
  /** Why it waits or failed. */
  error: ErrorData | null;
  /** When a waiting transfer goes on. */
  resumeAtMs: number | null;
  /** Attempts since the last progress. */
  attempts: number;
  /** When and at how many bytes attempts were last counted from 0. */
  progressAtMs: number;
  progressBytes: number;
  /** How often the file was begun again because its source changed. */
  restarts: number;
  filePath: string | null;
  partPath: string | null;
  nameKey: string | null;
  mediaType: string | null;
  /** `file:size` and `file:checksum` of the catalog. */
  announcedBytes: number | null;
  announcedChecksum: string | null;
  /** What the source says the whole is. */
  totalBytes: number | null;
  /** Bytes of the part file that are known to be on disk, whatever is lost. */
  durableBytes: number;
  /** Validators of the source that the part file came from, and its origin. */
  etag: string | null;
  /** As it was sent. */
  lastModified: string | null;
  /** How old that date was when it was seen, by the server's own clock; null where that has none. */
  lastModifiedAgeMs: number | null;
  sourceOrigin: string | null;
  linkKind: ResolvedLink['kind'] | null;
  verification: Verification | null;
  /** Multihash in hex of the verified bytes; set before the file is published. */
  digest: string | null;
  startedAtMs: number | null;
  finishedAtMs: number | null;
  /** Of a cancelled transfer: those cancelled with it, until when that can be taken back, and what it was before. */
  cancelId: number | null;
  dropAtMs: number | null;
  stateBefore: TransferState | null;
  /** What was found wrong with the file when it was looked at again, and when it was. */
  finding: 'missing' | 'changed' | null;
  checkedAtMs: number | null;
  /** How often the process died while this was running, since its last progress. */
  deaths: number;
}

/** What may change in a row. */
export type RowChanges = Partial<
  Omit<
    TransferRow,
    | 'transferId'
    | 'downloadId'
    | 'connectionId'
    | 'collectionId'
    | 'itemId'
    | 'assetKey'
    | 'destination'
    | 'linkMode'
    | 's3Access'
    | 'priority'
    | 'position'
  >
>;

/** An object by which nothing can be known again. */
export const noValidators = { etag: null, lastModified: null, lastModifiedAgeMs: null };

/** What is known of a source whose bytes are given up. */
export const noSource = { ...noValidators, totalBytes: null, sourceOrigin: null };

/** What becomes of a row whose file is no more. */
export const withoutFile: RowChanges = {
  ...noSource,
  partPath: null,
  nameKey: null,
  filePath: null,
  durableBytes: 0,
  progressBytes: 0,
  digest: null,
  verification: null,
};

/** Bytes that are still to come; null where nobody knows how many. */
export function neededBytesOf({
  totalBytes,
  announcedBytes,
  durableBytes,
}: Readonly<TransferRow>): number | null {
  const sizeBytes = totalBytes ?? announcedBytes;
  return sizeBytes === null ? null : Math.max(0, sizeBytes - durableBytes);
}
