import { createClient } from '#shared/rpc/client.ts';
import { contract } from '#shared/rpc/contract.ts';
import { createMemoryPipe } from '#shared/rpc/memory-pipe.ts';
import type { StorageStatus } from '#shared/storage/storage.ts';
import { createBackend } from '../../backend.ts';
import { makePorts } from '../../testing/make-ports.ts';

// The program in a folder that it can't write to: tells what a window learns.
const dataDir = process.argv[2] ?? '';
const backend = createBackend({
  connection: { kind: 'remote', baseUrl: 'http://127.0.0.1:9', token: null },
  ports: makePorts(dataDir),
});
const [near, far] = createMemoryPipe();
backend.router.serve(far);
const client = createClient(contract, near, { isValidating: true });
const status = await new Promise<StorageStatus>((resolve) => {
  client.storage.watch({}, { onEvent: resolve });
});
const [library] = status.libraries;
const { itemCount } = await client.storage.usage({ connectionId: library?.connectionId ?? '' });
process.stdout.write(JSON.stringify({ isKept: library?.isKept, itemCount }));
await backend.close();
