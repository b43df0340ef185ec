import { createMemoryPipe } from './memory-pipe.ts';
import { describePipe } from '../../main/testing/describe-pipe.ts';

describePipe('a pipe in memory', (router) => {
  const [client, server] = createMemoryPipe();
  router.serve(server);
  return { client, breakOff: () => server.close() };
});
