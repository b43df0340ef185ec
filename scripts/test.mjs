// `npm test`: unit, integration and end-to-end tests, and one line that counts them all.
// `npm test -- --unit` and `npm test -- --e2e` run one half.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ensureBuild } from './prepare/build.mjs';
import { ensureChromium } from './prepare/chromium.mjs';
import { findElectron, findWindowObstacle } from './prepare/electron.mjs';
import { ensurePackages } from './prepare/packages.mjs';
import { memoryDir, packageFile, projectRoot, say } from './prepare/paths.mjs';
import { runNode } from './prepare/run.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

const args = process.argv.slice(2);
const runsAll = !args.includes('--unit') && !args.includes('--e2e');
const passedOn = args.filter((arg) => arg !== '--unit' && arg !== '--e2e');
const reports = mkdtempSync(join(tmpdir(), 'swath-test-'));
/** Failures of the unit tests, which stand far above where the walks have ended: a log is often kept by its end alone.
 * @type {string[]} */
const tellAgain = [];
/** Of each failed test, whose errors may be many. */
const maxMessages = 20;
const maxMessageLines = 12;

try {
  await ensurePackages();
  await ensureBuild();
  const counts = [];
  if (runsAll || args.includes('--unit')) counts.push(await runUnitTests());
  if (runsAll || args.includes('--e2e')) counts.push(await runEndToEndTests());
  process.exitCode = report(counts);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  rmSync(reports, { recursive: true, force: true });
}

/** @returns {Promise<Counts>} */
async function runUnitTests() {
  const file = join(reports, 'vitest.json');
  const retried = fileURLToPath(new URL('report-retried.mjs', import.meta.url));
  const reporters = ['default', 'json', retried].map((name) => `--reporter=${name}`);
  const env = {
    ...process.env,
    // Hundreds of commands are started: as shipped they begin in a quarter of the time that their sources take...
    SWATH_CLI: join(projectRoot, 'out', 'main', 'cli.js'),
    // ...and other programs of the tests in half of it, when each source is read but once.
    NODE_COMPILE_CACHE: join(memoryDir, 'compile-cache'),
  };
  const cli = packageFile('vitest/vitest.mjs');
  const { code } = await runNode([cli, 'run', ...reporters, `--outputFile.json=${file}`, ...passedOn], {
    env,
  });
  const stats = readReport(file);
  tellAgain.push(...listFailures(stats));
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = stats ?? {};
  return countRun(code, {
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests + numTodoTests,
  });
}

/** @returns {Promise<Counts>} */
async function runEndToEndTests() {
  const chromium = await ensureChromium();
  if (chromium === undefined) {
    say('No Chromium for the end-to-end tests: install one, or name it in SWATH_CHROMIUM.');
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const file = join(reports, 'playwright.json');
  const env = { ...process.env, SWATH_CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const cli = packageFile('@playwright/test/cli.js');
  const projects = listProjects().map((name) => `--project=${name}`);
  const { code } = await runNode([cli, 'test', '--reporter=list,json', ...projects, ...passedOn], { env });
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = readReport(file)?.stats ?? {};
  if (flaky > 0)
    say(`${flaky} walk${flaky === 1 ? '' : 's'} passed only when tried again: see above, and mend.`);
  return countRun(code, { passed: expected + flaky, failed: unexpected, skipped });
}

function listProjects() {
  const obstacle = findElectron() === undefined ? 'its runtime is not installed' : findWindowObstacle();
  if (obstacle === undefined) return ['browser', 'electron'];
  say(`The tests that run in Electron are skipped: ${obstacle}.`);
  return ['browser'];
}

/**
 * A runner that failed without a failed test (a file that does not load, no tests at all) counts as one.
 * @param {number} code
 * @param {Counts} counts
 * @returns {Counts}
 */
function countRun(code, counts) {
  const isBroken = code !== 0 || counts.passed + counts.failed === 0;
  return isBroken && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/**
 * @param {string} file
 * @returns {any} undefined when the runner ended before it wrote one
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Which tests failed, in which file, and what was wrong.
 * @param {any} stats the JSON report
 * @returns {string[]}
 */
function listFailures(stats) {
  return (stats?.testResults ?? []).flatMap((/** @type {any} */ { name, message, assertionResults }) => {
    const path = relative(projectRoot, name);
    const failed = assertionResults.filter((/** @type {any} */ { status }) => status === 'failed');
    if (failed.length === 0) return message ? [toFailure(path, [message])] : [];
    return failed.map((/** @type {any} */ { fullName, failureMessages }) =>
      toFailure(`${path}: ${fullName}`, failureMessages),
    );
  });
}

/**
 * @param {string} title
 * @param {string[]} messages
 */
function toFailure(title, messages) {
  const isOurs = (/** @type {string} */ line) => !/^ +at .*(node_modules|<anonymous>)/.test(line);
  const shown = messages
    .slice(0, maxMessages)
    .map((message) => message.split('\n').filter(isOurs).slice(0, maxMessageLines));
  const more = messages.length - shown.length;
  return [`FAILED ${title}`, ...shown.flat(), ...(more > 0 ? [`... and ${more} more`] : [])].join('\n  ');
}

/** @param {Counts[]} runs */
function report(runs) {
  const sum = (/** @type {keyof Counts} */ key) => runs.reduce((total, counts) => total + counts[key], 0);
  for (const failure of tellAgain) process.stdout.write(`\n${failure}\n`);
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}\n`);
  return sum('failed') === 0 ? 0 : 1;
}
