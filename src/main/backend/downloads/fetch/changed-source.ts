import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#shared/errors/app-error.ts';
import type { LinkedAsset } from '../../links/link.ts';
import { isProof } from '../file/multihash.ts';
import { sizeMismatch } from '../file/verify-file.ts';
import { noSource, type TransferRow } from '../queue/transfer-row.ts';
import type { TransferRun } from '../run/transfer-run.ts';
import { factsOf, type Fetch } from './fetch-state.ts';
import { createLinkLadder } from './link-ladder.ts';
import { holdsSameBytes, mayBeSame, type OtherSource } from './same-object.ts';
import type { Validators } from './validators.ts';

const walkBackSteps = [0, 1024 * 1024, 16 * 1024 * 1024];
/** How often a file is begun again because its source has changed. */
export const mostRestarts = 3;

/** Going on from another source in the middle of a file needs proof that it is the same object (downloads.md c.2). */
export async function compareSource(
  fetch: Fetch,
  source: OtherSource & Validators & { url: string },
): Promise<void> {
  const { run, part } = fetch;
  const { url, totalBytes, sourceOrigin, etag, lastModified, lastModifiedAgeMs } = source;
  const isSame =
    totalBytes !== null &&
    mayBeSame(run.row, source) &&
    (await holdsSameBytes(run, { url, part, totalBytes }));
  run.parts.logger.info('transfer.source-compared', { ...factsOf(run), sourceOrigin, isSame });
  if (!isSame)
    return restart(fetch, new AppError('transfer.source-changed', 'The other source may hold another file'));
  // Only what has no gap before it was compared.
  await part.truncate(part.prefixBytes);
  // The next request goes on from it as from one that is known.
  run.update({ sourceOrigin, etag, lastModified, lastModifiedAgeMs });
}

/** Takes what the catalog says of the file now; where it is another one, what came is given up. */
export async function takeAnnouncement(fetch: Fetch, linked: LinkedAsset): Promise<void> {
  const { run, part } = fetch;
  const { announcedBytes, announcedChecksum, mediaType } = run.row;
  run.setLinkedHref(linked.href);
  const { isOther, news } = compareAnnounced(run.row, linked);
  if (!isDeepStrictEqual(news, { announcedBytes, announcedChecksum, mediaType })) run.update(news);
  if (isOther && part.prefixBytes > 0) {
    await restart(fetch, new AppError('transfer.source-changed', 'The catalog announces another file now'));
  }
}

/** Asks the catalog once more what it says of the file: whether that is another one than what a run went by. */
export async function announcesOther(run: TransferRun): Promise<boolean> {
  const ladder = createLinkLadder(run);
  ladder.renew();
  const linked = await ladder.resolve().catch(() => null);
  return linked !== null && compareAnnounced(run.row, linked).isOther;
}

type Announcement = Pick<TransferRow, 'announcedBytes' | 'announcedChecksum' | 'mediaType'>;

// Whether it is of another file, and what holds from now on.
function compareAnnounced(
  { announcedBytes, announcedChecksum, mediaType }: Announcement,
  linked: LinkedAsset,
): { isOther: boolean; news: Announcement } {
  // What proves nothing doesn't take the place of what does.
  const checksum = isProof(announcedChecksum) && !isProof(linked.checksum) ? null : linked.checksum;
  return {
    isOther: areDifferent(announcedBytes, linked.sizeBytes) || areDifferent(announcedChecksum, checksum),
    news: {
      announcedBytes: linked.sizeBytes ?? announcedBytes,
      announcedChecksum: checksum ?? announcedChecksum,
      mediaType: linked.mediaType ?? mediaType,
    },
  };
}

function areDifferent<Value>(before: Value | null, now: Value | null): boolean {
  return before !== null && now !== null && before !== now;
}

/** A source that contradicts the catalog is the wrong one; one that contradicts only itself has changed. */
export async function takeChange(fetch: Fetch, error: AppError): Promise<void> {
  const { announcedBytes } = fetch.run.row;
  const { actualBytes } = error.details;
  if (announcedBytes !== null && typeof actualBytes === 'number' && actualBytes !== announcedBytes) {
    fetch.ladder.refuse(sizeMismatch('source', { expectedBytes: announcedBytes, actualBytes }));
    return;
  }
  fetch.ladder.renew();
  await restart(fetch, error);
}

/** Of a source whose body went on where the file should have ended: its bytes are another file's from the first on. */
export async function takeLonger(fetch: Fetch): Promise<void> {
  const { announcedBytes } = fetch.run.row;
  const why = 'The source has more bytes than before';
  await giveUpBytes(fetch, why);
  if (announcedBytes === null) return takeChange(fetch, new AppError('transfer.source-changed', why));
  const sizes = { expectedBytes: announcedBytes, actualBytes: announcedBytes + 1, isLeast: true };
  fetch.ladder.refuse(sizeMismatch('source', sizes));
}

/** Begins a file again, a few times. @throws AppError the error, when that was done too often */
export async function restart(fetch: Fetch, error: AppError): Promise<void> {
  const { run } = fetch;
  const { restarts } = run.row;
  if (restarts >= mostRestarts) throw error;
  await giveUpBytes(fetch, error.message);
  run.update({ restarts: restarts + 1 });
}

// With it what was known of where it came from.
async function giveUpBytes({ run, part }: Fetch, why: string): Promise<void> {
  run.parts.logger.warn('transfer.restarted', { ...factsOf(run), why });
  await part.truncate(0);
  run.update(noSource);
  run.setReceived(0);
}

/**
 * Goes back behind what differs from the source, further each time in a row; where there is nothing left to go back, it is
 * begun again. Of the same object (`isSame`) only the end can be wrong, which a line that broke has left: each look further
 * back at another one would be one more chance that both agree just there.
 */
export async function walkBack(
  fetch: Fetch,
  { startBytes, isSame }: { startBytes: number; isSame: boolean },
): Promise<void> {
  const { run, part } = fetch;
  run.parts.logger.warn('transfer.overlap-differs', { ...factsOf(run), startBytes });
  const backBytes = (isSame ? walkBackSteps : walkBackSteps.slice(-1))[fetch.walkBackCount];
  if (backBytes === undefined || startBytes <= backBytes) {
    return restart(fetch, new AppError('transfer.source-changed', 'The source has other bytes than before'));
  }
  fetch.walkBackCount += 1;
  await part.truncate(startBytes - backBytes);
  run.setReceived(part.prefixBytes);
}
