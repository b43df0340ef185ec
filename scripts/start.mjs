// `npm start`: runs the app. In Electron where that can be had, else in the browser.
import { ensureBuild } from './prepare/build.mjs';
import { ensureElectron, findElectron, findWindowObstacle } from './prepare/electron.mjs';
import { ensurePackages } from './prepare/packages.mjs';
import { projectRoot, say } from './prepare/paths.mjs';
import { run, runNode } from './prepare/run.mjs';

const args = process.argv.slice(2);
const choice = args.find((arg) => arg === '--browser' || arg === '--electron');
const passedOn = args.filter((arg) => arg !== '--browser' && arg !== '--electron');

try {
  await ensurePackages();
  await ensureBuild();
  const { code, stoppedBy } = await start();
  // Asked to end is not a failure.
  process.exitCode = stoppedBy === null ? code : 0;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function start() {
  if (choice !== '--browser') {
    const electron = await chooseElectron();
    if (electron !== undefined) return run(electron, [projectRoot, ...passedOn]);
  }
  return runNode(['out/main/browser.js', ...passedOn]);
}

/** Electron's program, or undefined after saying in one line why the browser takes its place. */
async function chooseElectron() {
  const isWanted = choice === '--electron';
  const obstacle = findWindowObstacle();
  if (obstacle !== undefined && !isWanted) {
    const state = findElectron() === undefined ? "Electron's runtime is not installed and " : '';
    say(`Opening in the browser: ${state}${obstacle}.`);
    return undefined;
  }
  const electron = await ensureElectron({ isWanted });
  if (electron !== undefined) return electron;
  if (isWanted) throw new Error("Electron's runtime is not installed and could not be fetched.");
  say("Opening in the browser: Electron's runtime is not installed and could not be fetched.");
  return undefined;
}
