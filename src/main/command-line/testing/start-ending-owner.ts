import { onTestFinished } from 'vitest';
import type { Pipe } from '#shared/rpc/pipe.ts';
import { clientMessageSchema, decodeMessage, serverMessageSchema } from '#shared/rpc/wire-message.ts';
import { openDataQueue } from '../../backend/commands.ts';
import { silentLogger, silentSystem, systemClock } from '../../backend/ports.ts';
import { createConfStore } from '../../host/conf-store.ts';
import { serveCommands } from '../../host/owner/serve-commands.ts';

/**
 * A program that has the queue of a data folder and carries commands out until it has done what was asked for by a call,
 * such as `orders.place`: then it ends without a word of it; of a stream after its first event.
 */
export async function startEndingOwner(options: {
  dataDir: string;
  baseUrl: string;
  token: string;
  endsAfter: string;
}): Promise<{ hasEnded: Promise<void> }> {
  const { dataDir, baseUrl, token, endsAfter } = options;
  const queue = openDataQueue({
    choice: { kind: 'remote', baseUrl, token },
    settings: createConfStore(dataDir),
    env: {},
    dataDir,
    appVersion: '9.9.9',
    clock: systemClock,
    logger: silentLogger,
    system: silentSystem,
    isAtRest: true,
  });
  const ended = Promise.withResolvers<undefined>();
  let end: Promise<void> | null = null;

  const router = {
    serve(pipe: Pipe) {
      let lastId: number | null = null;
      let toldCount = 0;
      queue.commandRouter.serve({
        ...pipe,
        onClose: (listener) => pipe.onClose(listener),
        close: () => pipe.close(),
        onMessage: (listener) =>
          pipe.onMessage((text) => {
            const message = decodeMessage(clientMessageSchema, text);
            if (message?.type === 'request' && message.path === endsAfter) lastId = message.id;
            listener(text);
          }),
        send(text) {
          const message = decodeMessage(serverMessageSchema, text);
          const isOfCall = message !== null && 'id' in message && message.id === lastId;
          const isLast =
            isOfCall && (message.type === 'result' || (message.type === 'event' && toldCount++ > 0));
          if (isLast) end ??= finish();
          else if (end === null) pipe.send(text);
        },
      });
    },
  };
  const service = await serveCommands({ dataDir, router, logger: silentLogger });

  async function finish(): Promise<void> {
    // In this order: whoever finds nobody at the door finds the queue free.
    await Promise.all([queue.close(), service.close()]);
    ended.resolve(undefined);
  }

  onTestFinished(() => (end ??= finish()));
  return { hasEnded: ended.promise };
}
