import { onTestFinished } from 'vitest';
import { startRecordingServer, type RecordingServer } from './recording-server.ts';

/** A recording server that ends with the test. */
export async function serve(answer: Parameters<typeof startRecordingServer>[0]): Promise<RecordingServer> {
  const server = await startRecordingServer(answer);
  onTestFinished(() => server.close());
  return server;
}
