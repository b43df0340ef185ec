import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const block = Buffer.alloc(1024 * 1024, 1);

/**
 * Has the system's memory for files of so many bytes at hand. A virtual machine gives memory that was free for two seconds
 * back to its host, and to have it again takes ten times as long as to write to it: whoever waited longer before it began
 * would be measured by that.
 */
export function warmMemory(folder: string, bytes: number): void {
  const path = join(folder, 'warm');
  const file = openSync(path, 'w');
  try {
    for (let written = 0; written < bytes; written += block.length) writeSync(file, block);
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
