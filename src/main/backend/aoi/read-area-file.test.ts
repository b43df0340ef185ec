import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readAreaFile } from './read-area-file.ts';

it.skipIf(!existsSync('/dev/zero'))('reads no more than it takes of what has no end', async () => {
  await expect(readAreaFile('/dev/zero')).rejects.toMatchObject({ code: 'aoi.too-large' });
});
