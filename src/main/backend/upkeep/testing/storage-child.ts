import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { itemsOf } from '../../library/upkeep/testing/make-items.ts';
import { openStorageDesk } from './storage-desk.ts';

// Fills a library without end and does one thing with it again and again, to be killed. What is kept is told on
// standard output: `kept <page>`.
const [dataDir = '', task = 'ingest', firstPage = '0'] = process.argv.slice(2);
const desk = openStorageDesk(join(dataDir, 'data'));
const other = join(dataDir, 'other');
if (!existsSync(other)) mkdirSync(other);
process.stdout.write('ready\n');

async function ingest(): Promise<void> {
  for (let page = Number(firstPage); ; page += 1) {
    const items = itemsOf({ collectionId: 'c', from: page * 100, count: 100, fetchedAtMs: 0 });
    const told = { isKept: false };
    await desk.keeper.library.takeIn({
      items,
      fetchedAtMs: page + 1,
      onKept: () => {
        told.isKept = true;
      },
      onFailure: (thrown) => process.stdout.write(`failed ${String(thrown)}\n`),
    });
    if (told.isKept) process.stdout.write(`kept ${String(page)}\n`);
  }
}

async function perform(): Promise<void> {
  for (;;) {
    const { storage, parts } = desk;
    const outcome = await (task === 'evict'
      ? evictHalf()
      : task === 'compact'
        ? storage.run({ kind: 'compact', connectionId: 'desk' })
        : task === 'back-up'
          ? storage.run({ kind: 'back-up', folder: other })
          : storage.run({
              kind: 'move',
              folder: parts.settings.current.libraryFolder === null ? other : null,
            }));
    process.stdout.write(`${task} ${outcome.state} ${outcome.error?.message ?? ''}\n`);
  }
}

async function evictHalf() {
  const { storage, parts, keeper } = desk;
  const { usedBytes } = keeper.library.upkeep.measure();
  const sizeBytes = Math.max(1_000_000, Math.round(usedBytes / 2));
  parts.settings.change({ libraryLimits: { sizeBytes, ageDays: null } });
  return storage.run({ kind: 'evict' });
}

void ingest();
if (task !== 'ingest') void perform();
