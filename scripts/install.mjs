// Installs the npm packages of the lock file, unless they are there.
import { ensurePackages } from './prepare/packages.mjs';
import { say } from './prepare/paths.mjs';

try {
  await ensurePackages();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
