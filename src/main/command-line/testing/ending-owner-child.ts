import type { Pipe } from '#shared/rpc/pipe.ts';
import { clientMessageSchema, decodeMessage, serverMessageSchema } from '#shared/rpc/wire-message.ts';
import { openDataQueue } from '../../backend/commands.ts';
import { silentLogger, silentSystem, systemClock } from '../../backend/ports.ts';
import { createConfStore } from '../../host/conf-store.ts';
import { serveCommands } from '../../host/owner/serve-commands.ts';

// Has the queue of a data folder and carries commands out, until it has done what was asked for by a call: then it is killed
// before a word of it leaves; of a stream after its first event.
const [dataDir = '', baseUrl = '', endsAfter = ''] = process.argv.slice(2);
const queue = openDataQueue({
  choice: { kind: 'remote', baseUrl, token: process.env['SWATH_TOKEN'] ?? '' },
  settings: createConfStore(dataDir),
  env: {},
  dataDir,
  appVersion: '9.9.9',
  clock: systemClock,
  logger: silentLogger,
  system: silentSystem,
  isAtRest: true,
});

function serve(pipe: Pipe): void {
  let lastId: number | null = null;
  let toldCount = 0;
  queue.commandRouter.serve({
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
      const isLast = isOfCall && (message.type === 'result' || (message.type === 'event' && toldCount++ > 0));
      if (isLast) process.kill(process.pid, 'SIGKILL');
      else pipe.send(text);
    },
  });
}

await serveCommands({ dataDir, router: { serve }, logger: silentLogger });
process.stdout.write('serves\n');
