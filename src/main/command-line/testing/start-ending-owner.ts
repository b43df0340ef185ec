import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const child = fileURLToPath(new URL('ending-owner-child.ts', import.meta.url));

/**
 * A program that has the queue of a data folder and carries commands out until it has done what was asked for by a call,
 * such as `orders.place`: then it is killed before a word of it leaves; of a stream after its first event.
 */
export async function startEndingOwner(options: {
  dataDir: string;
  baseUrl: string;
  token: string;
  endsAfter: string;
}): Promise<{ hasEnded: Promise<unknown> }> {
  const { dataDir, baseUrl, token, endsAfter } = options;
  const running = spawn(process.execPath, [child, dataDir, baseUrl, endsAfter], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, SWATH_TOKEN: token },
  });
  const hasEnded = once(running, 'exit');
  onTestFinished(async () => {
    running.kill('SIGKILL');
    await hasEnded;
  });
  await Promise.race([once(running.stdout, 'data'), hasEnded]);
  return { hasEnded };
}
