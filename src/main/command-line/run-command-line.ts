import { CommanderError } from 'commander';
import { AppError, isAppError, toAppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-codes.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodes, toExitCode, type ExitCode } from './exit-code.ts';
import { createOutput } from './output.ts';
import { createProgram } from './program.ts';
import { toPrintable } from './to-printable.ts';

/** Runs one command of `swath` and resolves to its exit status. Never throws. */
export async function runCommandLine(
  args: readonly string[],
  options: { signal: AbortSignal },
): Promise<ExitCode> {
  // Before the arguments are understood: their errors are to be JSON as well.
  const isJson = args.includes('--json');
  let exitCode: ExitCode = exitCodes.done;
  // A line that nobody can be told of, on a full disk or to a terminal that has gone, must not end a night's work.
  process.stderr.on('error', () => undefined);
  const context: CommandContext = {
    stdout: createOutput(process.stdout),
    say: (line) => void process.stderr.write(`${isJson ? '' : 'swath: '}${toPrintable(line)}\n`),
    isTerminal: process.stderr.isTTY,
    env: process.env,
    signal: options.signal,
    endWith: (code) => void (exitCode = code),
  };
  try {
    await createProgram(context).parseAsync([...args], { from: 'user' });
    const { failure } = context.stdout;
    if (failure !== null) throw outputLost(failure);
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return exitCodes.done;
    const error = thrown instanceof CommanderError ? toUsageError(thrown) : await toCommandError(thrown);
    context.say(isJson ? JSON.stringify(error.toData()) : toSentences(error));
    return toExitCode(error.code);
  }
}

function outputLost(cause: Error): AppError {
  const why = `What this command had to tell could not be written (${cause.message}).`;
  const mend = 'What it did is done: look before it is given again.';
  return new AppError('host.output-lost', why, { details: { mend }, cause });
}

// What can be done about a file stands beside the message, as the window shows it.
function toSentences({ message, details }: AppError): string {
  const mend = details['mend'];
  return typeof mend === 'string' && mend !== '' ? `${message} ${mend}` : message;
}

/** What can be done about a file, where the error doesn't say it itself. */
const mends: Partial<Record<ErrorCode, string>> = {
  'library.corrupt':
    'Start Swath with the catalog that it is of (in a browser: “swath browser --base-url …”): it puts a damaged file aside and brings back what can be read.',
  'library.read-only':
    'Allow writing there, or name another data folder with --data-dir: “swath library backup” and “swath library restore --notebook” bring the libraries along.',
  'library.disk-full': 'Make room on the disk that it is on, or name another data folder with --data-dir.',
  'library.newer-schema': 'Use that newer Swath, or name another data folder with --data-dir.',
  'library.folder-missing':
    'Connect the drive it is on. If it is lost for good, “swath library move --leave-behind” goes on without it.',
};

/** What was thrown, with what can be done about a file. */
async function toCommandError(thrown: unknown): Promise<AppError> {
  const error = isAppError(thrown) ? thrown : await explain(thrown);
  const mend = mends[error.code];
  if (mend === undefined) return error;
  return new AppError(error.code, `${error.message}.`, {
    details: { mend, ...error.details },
    cause: thrown,
  });
}

async function explain(thrown: unknown): Promise<AppError> {
  const { explainFileFailure } = await import('../backend/commands.ts');
  return toAppError(explainFileFailure(thrown));
}

function toUsageError({ code, message }: CommanderError): AppError {
  // Without a command, commander has printed the help instead of an error.
  const sentence =
    code === 'commander.help' ? 'a command is needed' : message.replace(/^error: /, '').replaceAll('\n', ' ');
  return new AppError('input.invalid', sentence, { details: { field: 'arguments', why: sentence } });
}
