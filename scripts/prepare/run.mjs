import { spawn } from 'node:child_process';

import { findNode, projectRoot } from './paths.mjs';

/** A signal often goes to the whole process group: only a child still there after this time didn't get it. */
const forwardAfterMs = 700;

/** How long a child may take to end after a signal before it is killed. */
const graceMs = 10_000;

const parentCheckMs = 500;

/**
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env]
 * @property {'inherit' | 'quiet' | 'stderr'} [output] where standard output goes; quiet shows it only on failure
 * @property {number} [timeoutMs] kills the child after this time
 * @property {string} [cwd]
 */

/**
 * @typedef {object} RunResult
 * @property {number} code exit code; 1 when a signal ended the child
 * @property {NodeJS.Signals | null} stoppedBy the signal that asked us to end, if any
 */

/**
 * Runs a program to its end and hands on the signals that end a program, each once.
 * @param {string} program
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export function run(program, args, options = {}) {
  const { output = 'inherit' } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd ?? projectRoot,
      env: options.env ?? process.env,
      stdio: output === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs, killSignal: 'SIGKILL' }),
    });
    /** @type {Buffer[]} */
    const kept = [];
    const take = (/** @type {Buffer} */ chunk) => {
      if (output === 'stderr') process.stderr.write(chunk);
      else kept.push(chunk);
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);

    const signals = forwardSignals(child);
    child.once('error', (error) => {
      signals.stop();
      reject(error);
    });
    child.once('close', (code) => {
      signals.stop();
      if (code !== 0 && signals.received() === null) process.stderr.write(Buffer.concat(kept));
      resolve({ code: code ?? 1, stoppedBy: signals.received() });
    });
  });
}

/**
 * Runs a script on the project's own Node.
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export function runNode(args, options) {
  const node = findNode();
  if (node === undefined) throw new Error('Node 24 is missing: run `npm ci` first.');
  return run(node, args, options);
}

/** @param {import('node:child_process').ChildProcess} child */
function forwardSignals(child) {
  /** @type {NodeJS.Signals | null} */
  let received = null;
  /** @type {NodeJS.Timeout[]} */
  const timers = [];
  const receive = (/** @type {NodeJS.Signals} */ signal) => {
    if (received !== null) return;
    received = signal;
    // Ctrl-C reaches every process of the terminal, so the child has it already.
    const isFromKeyboard = signal === 'SIGINT' && process.stdin.isTTY;
    if (!isFromKeyboard) timers.push(setTimeout(() => child.kill(signal), forwardAfterMs));
    timers.push(setTimeout(() => child.kill('SIGKILL'), graceMs));
  };
  /** @type {NodeJS.Signals[]} */
  const ending = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of ending) process.on(signal, receive);
  const stopWatching = watchParent(() => receive('SIGTERM'));
  return {
    received: () => received,
    stop() {
      timers.forEach(clearTimeout);
      stopWatching();
      for (const signal of ending) process.off(signal, receive);
    },
  };
}

/**
 * npm starts us through a shell. When npm is told to end, it ends that shell, which tells us nothing.
 * @param {() => void} onGone
 */
function watchParent(onGone) {
  if (process.env['npm_lifecycle_event'] === undefined) return () => undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) onGone();
  }, parentCheckMs);
  return () => clearInterval(timer);
}
