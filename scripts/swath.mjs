// `npm run -s swath -- …`: the command line, built when needed, on the project's own Node.
import { ensureBuild } from './prepare/build.mjs';
import { ensurePackages } from './prepare/packages.mjs';
import { projectRoot, say } from './prepare/paths.mjs';
import { runNode } from './prepare/run.mjs';

try {
  await ensurePackages();
  await ensureBuild();
  // npm changes to the project's folder; relative paths are meant from where the user is.
  const cwd = process.env['INIT_CWD'] ?? process.cwd();
  const { code } = await runNode([`${projectRoot}/out/main/cli.js`, ...process.argv.slice(2)], { cwd });
  process.exitCode = code;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
