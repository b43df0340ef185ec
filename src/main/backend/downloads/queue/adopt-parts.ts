import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { IdentifiedItem, ItemRef, StacItem } from '#shared/stac/item.ts';
import type { Clock, Logger } from '../../ports.ts';
import { chunkBytes, windowChunks } from '../file/chunk.ts';
import { isPartOfQueue } from '../file/part-name.ts';
import { partNotePath, readPartNote, type PartNote } from '../file/part-note.ts';
import { clashKey } from '../output/safe-names.ts';
import { toSnapshot } from './order-snapshot.ts';
import type { QueueFile } from './queue-file.ts';

const noteEnd = partNotePath('.part');
// Collection, year and Item (design §11).
const deepest = 3;
// What a power cut may have spoilt at the end of a part file: what was not synced, and the window of ranges.
const doubtfulBytes = 64 * 1024 * 1024 + windowChunks * chunkBytes;

/** Where part files are looked for, and what their transfers are made with. */
export interface AdoptParts {
  queue: QueueFile;
  destinations: readonly { connectionId: string; destination: string }[];
  loadItem: (ref: ItemRef, connectionId: string) => Promise<IdentifiedItem>;
  clock: Clock;
  logger: Logger;
}

interface FoundPart {
  partPath: string;
  sizeBytes: number;
  note: PartNote;
}

/**
 * Takes up part files that the queue knows nothing of, because its own file was lost: each goes on where it was. Gives
 * the ids of the new transfers.
 */
export async function adoptParts(parts: AdoptParts): Promise<number[]> {
  const { queue, logger } = parts;
  const adopted: number[] = [];
  // Another program may write to those of its own in the same folder. Without a copy of the queue nothing tells them apart.
  const tag = queue.transfers.knownPartTag();
  const isOurs = (partPath: string) => tag === null || isPartOfQueue(partPath, tag);
  for (const destination of new Set(parts.destinations.map((known) => known.destination))) {
    const ours = queue.transfers.rows().map(({ partPath }) => partPath);
    const known = new Set([...ours, ...queue.parts.dropped()]);
    const found = (await findParts(destination)).filter(
      ({ partPath }) => !known.has(partPath) && isOurs(partPath),
    );
    const connectionIds = new Set(found.map(({ note }) => note.connectionId));
    for (const connectionId of connectionIds) {
      const some = found.filter(({ note }) => note.connectionId === connectionId);
      adopted.push(...(await takeUp(parts, { connectionId, destination, found: some })));
    }
  }
  if (adopted.length > 0) logger.info('queue.parts-adopted', { count: adopted.length });
  return adopted;
}

async function findParts(folder: string, depth = 0): Promise<FoundPart[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: FoundPart[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth < deepest) found.push(...(await findParts(path, depth + 1)));
    if (!entry.isFile() || !entry.name.endsWith(noteEnd)) continue;
    const partPath = path.slice(0, path.length - partNotePath('').length);
    const note = await readPartNote(partPath);
    const part = await stat(partPath).catch(() => null);
    if (note && part?.isFile()) found.push({ partPath, sizeBytes: part.size, note });
  }
  return found;
}

async function takeUp(
  { queue, loadItem, clock }: AdoptParts,
  group: { connectionId: string; destination: string; found: readonly FoundPart[] },
): Promise<number[]> {
  const { connectionId, destination, found } = group;
  const items = await Promise.all(
    found.map(async ({ note: { collectionId, itemId } }) => {
      const ref = { collectionId, itemId };
      // Without the catalog there is still its id; links are asked for when they are needed.
      const bare: StacItem = { id: itemId, collection: collectionId, assets: {} };
      const item = await loadItem(ref, connectionId).then(
        ({ item: loaded }) => loaded,
        () => bare,
      );
      return { ref, item: toSnapshot(item) };
    }),
  );
  const { orders, transfers } = queue;
  let transferIds: number[] = [];
  transfers.together(() => {
    const nowMs = clock.now();
    const downloadId = orders.begin({
      connectionId,
      destination,
      linkMode: 'auto',
      title: 'Recovered downloads',
      origin: { kind: 'recovered' },
      createdAtMs: nowMs,
    });
    const itemPks = orders.addItems(downloadId, items);
    const ordered = found.map(({ note }, index) => ({
      itemPk: itemPks[index] ?? 0,
      transfer: {
        assetKey: note.assetKey,
        state: 'queued' as const,
        error: null,
        mediaType: null,
        announcedBytes: note.bytes,
        announcedChecksum: note.checksum,
      },
      adoptId: null,
    }));
    orders.commit(downloadId, ordered, { priority: 0, nowMs });
    transferIds = transfers.idsOf({ downloadId });
    transferIds.forEach((transferId, index) => {
      const part = found[index];
      if (!part) return;
      const filePath = join(dirname(part.partPath), part.note.file);
      const durableBytes = Math.max(0, part.sizeBytes - doubtfulBytes);
      const claim = { nameKey: clashKey(filePath), filePath, partPath: part.partPath, durableBytes };
      transfers.reserveName(transferId, claim);
    });
  });
  return transferIds;
}
