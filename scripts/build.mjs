// `npm run build`: builds the app into out/, whether or not it is up to date.
import { ensureBuild } from './prepare/build.mjs';
import { ensurePackages } from './prepare/packages.mjs';
import { say } from './prepare/paths.mjs';

try {
  await ensurePackages();
  await ensureBuild({ force: true });
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
