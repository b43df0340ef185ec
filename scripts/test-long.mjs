// `npm run test:kill` and `npm run test:soak`: in full length what the unit tests do for some seconds.
// SWATH_KILLS, SWATH_SOAK_MINUTES and SWATH_SEED ask for other lengths and other chances.
import { ensurePackages } from './prepare/packages.mjs';
import { packageFile, say } from './prepare/paths.mjs';
import { runNode } from './prepare/run.mjs';

const faults = 'src/main/backend/downloads/faults';
const runs = new Map([
  ['kill', { file: `${faults}/i-kill.test.ts`, env: { SWATH_KILLS: '300' } }],
  ['soak', { file: `${faults}/l-soak.test.ts`, env: { SWATH_SOAK_MINUTES: '10' } }],
]);

const run = runs.get(process.argv[2] ?? '');
if (run === undefined) {
  say(`Say which: ${[...runs.keys()].join(' or ')}.`);
  process.exitCode = 1;
} else {
  await ensurePackages();
  const env = { ...run.env, ...process.env };
  const { code } = await runNode([packageFile('vitest/vitest.mjs'), 'run', run.file], { env });
  process.exitCode = code;
}
