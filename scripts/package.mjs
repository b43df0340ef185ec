// `npm run package`: installers for this platform. `npm run package -- --dir` stops at the folder, and needs
// no network when SWATH_ELECTRON_DIST names a local Electron folder.
import { ensureBuild } from './prepare/build.mjs';
import { ensurePackages } from './prepare/packages.mjs';
import { packageFile, say } from './prepare/paths.mjs';
import { runNode } from './prepare/run.mjs';

try {
  await ensurePackages();
  await ensureBuild();
  const config = ['--config', 'electron-builder.config.ts', '--publish', 'never'];
  const { code } = await runNode([
    packageFile('electron-builder/cli.js'),
    ...config,
    ...process.argv.slice(2),
  ]);
  process.exitCode = code;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
