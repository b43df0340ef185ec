import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../ports.ts';
import { poll } from '../testing/download-harness.ts';
import { createManualTime, type ManualTime } from '../testing/manual-time.ts';
import { backupPathOf } from './open-healthy-queue.ts';
import { startQueueBackup, type QueueBackup } from './queue-backup.ts';
import { openQueue, type QueueFile } from './queue-file.ts';

let folder: string;
let filePath: string;
let queue: QueueFile;
let backup: QueueBackup;
let time: ManualTime;
let beforeCopy: () => Promise<void>;
let copyCount: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-backup-'));
  filePath = join(folder, 'transfers.sqlite');
  queue = openQueue(filePath);
  time = createManualTime();
  copyCount = 0;
  beforeCopy = () => Promise.resolve();
  const copyTo = async (path: string) => {
    copyCount += 1;
    await beforeCopy();
    await queue.copyTo(path);
  };
  const { changeCount, noteDamage } = queue;
  const watched = { changeCount, copyTo, noteDamage };
  backup = startQueueBackup({ queue: watched, filePath, timers: time.timers, logger: silentLogger });
});

afterEach(async () => {
  await backup.close();
  queue.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a copy of the queue that is wanted soon', () => {
  it('comes within a minute, however often it is asked for meanwhile', async () => {
    for (let second = 0; second < 60; second += 1) {
      backup.soon();
      time.advance(1000);
    }
    await poll(() => existsSync(backupPathOf(filePath)) || undefined);
    expect(copyCount).toBe(1);
  });

  it('is made anew once when it was asked for while one was made', async () => {
    let goOn = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (goOn = resolve));
    beforeCopy = () => isReleased;
    backup.soon();
    time.advance(5000);
    await poll(() => copyCount === 1 || undefined);
    for (let times = 0; times < 3; times += 1) backup.soon();
    goOn();
    // Nothing was written, so that no other copy is due.
    await poll(() => {
      time.advance(5000);
      return copyCount === 2 || undefined;
    });
    await backup.close();
    expect(copyCount).toBe(2);
  });
});
