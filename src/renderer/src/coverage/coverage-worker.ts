import { createCoverageAnswerer } from './answer-coverage.ts';
import type { CoverageRequest } from './coverage-messages.ts';

const answer = createCoverageAnswerer();

self.addEventListener('message', ({ data }: MessageEvent<CoverageRequest>) => {
  const reply = answer(data);
  if (reply) self.postMessage(reply);
});
