import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { AppError } from '#shared/errors/app-error.ts';
import type { StorageOutcome, StorageTask } from '#shared/storage/storage.ts';
import type { openCommandStorage } from '../backend/commands.ts';
import { silentLogger, systemClock } from '../backend/ports.ts';
import { appVersion } from '../host/app-version.ts';
import { createConfStore } from '../host/conf-store.ts';
import { findUserFolders } from '../host/user-folders.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';

type Storage = ReturnType<typeof openCommandStorage>['storage'];

/** `swath library …`: what uses how much, and the care of the files. Nothing connects to a catalog. */
export function addLibraryCommands(program: Command, context: CommandContext): void {
  const library = program
    .command('library')
    .description(
      'the libraries on this computer: what uses how much, check, compact, back up, restore, move, evict',
    );

  library
    .command('usage')
    .description('print what uses how much of each library')
    .action((_options, command: Command) =>
      withStorage(command, context, {
        isAlone: false,
        work: async (storage) => {
          const { libraries, folder, limits } = await storage.status();
          const usages = [];
          for (const { connectionId, name } of libraries) {
            const { records: _, ...usage } = await storage.usage(connectionId, context.signal);
            usages.push({ name, ...usage });
          }
          await context.stdout.writeJson({ folder, limits, libraries: usages });
        },
      }),
    );

  library
    .command('verify')
    .description(
      'check each library: pages, indexes, references and items. Ends with 1 where something is wrong',
    )
    .option('--thorough', 'read every item; else an even sample is read')
    .action((options: { thorough?: boolean }, command: Command) =>
      withStorage(command, context, {
        isAlone: false,
        work: async (storage) => {
          await forEachLibrary(storage, context, (connectionId) => ({
            kind: 'verify',
            connectionId,
            isThorough: options.thorough === true,
          }));
        },
      }),
    );

  library
    .command('compact')
    .description('give free pages of each library back to the disk')
    .action((_options, command: Command) =>
      withStorage(command, context, {
        isAlone: false,
        work: (storage) =>
          forEachLibrary(storage, context, (connectionId) => ({ kind: 'compact', connectionId })),
      }),
    );

  library
    .command('backup')
    .description('copy all libraries and the notebook into a dated folder, while the window may be open')
    .argument('<folder>', 'where the dated folder is made')
    .action((folder: string, _options, command: Command) =>
      withStorage(command, context, {
        isAlone: false,
        work: (storage) => perform(storage, context, { kind: 'back-up', folder: resolve(folder) }),
      }),
    );

  library
    .command('restore')
    .description(
      'bring the libraries of a backup back; the present ones are put aside. Saved searches, areas, rules and pins stay as they are without --notebook',
    )
    .argument('<folder>', 'the dated folder of a backup')
    .option('--only <ids...>', 'only these libraries')
    .option('--notebook', 'saved searches, areas, rules and pins as well; the present ones are put aside')
    .action((folder: string, { only, notebook }: { only?: string[]; notebook?: true }, command: Command) =>
      withStorage(command, context, {
        isAlone: true,
        work: (storage) =>
          perform(storage, context, {
            kind: 'restore',
            folder: resolve(folder),
            connectionIds: only ?? null,
            withNotebook: notebook === true,
          }),
      }),
    );

  library
    .command('move')
    .description("move all libraries to another folder; without one, back to Swath's own")
    .argument('[folder]', 'an existing folder, of any volume')
    .option(
      '--leave-behind',
      'the present folder is not there, and lost for good: forget it, and begin in the other one',
    )
    .action((folder: string | undefined, { leaveBehind }: { leaveBehind?: true }, command: Command) =>
      withStorage(command, context, {
        isAlone: true,
        isLeavingBehind: leaveBehind === true,
        work: (storage) =>
          perform(storage, context, {
            kind: 'move',
            folder: folder === undefined ? null : resolve(folder),
            isLeavingBehind: leaveBehind === true,
          }),
      }),
    );

  library
    .command('evict')
    .description(
      'bring the libraries within their limits now, the longest unfetched items first; pinned ones stay, and so do those taken offline',
    )
    .option('--max-size <megabytes>', 'another limit of size from now on; none for no limit', parseLimit)
    .option('--max-age <days>', 'another limit of age from now on; none for no limit', parseLimit)
    .option('--dry-run', 'only print what would go')
    .action((options: EvictOptions, command: Command) =>
      withStorage(command, context, {
        isAlone: options.dryRun !== true,
        work: (storage) => evict(storage, context, options),
      }),
    );
}

interface EvictOptions {
  maxSize?: number | 'none';
  maxAge?: number | 'none';
  dryRun?: boolean;
}

async function evict(storage: Storage, context: CommandContext, options: EvictOptions): Promise<void> {
  const { limits } = await storage.status();
  const next = {
    sizeBytes: pick(options.maxSize, limits.sizeBytes, 1e6),
    ageDays: pick(options.maxAge, limits.ageDays, 1),
  };
  if (options.dryRun) {
    await context.stdout.writeJson(await storage.preview(next, context.signal));
    return;
  }
  storage.setLimits(next);
  await perform(storage, context, { kind: 'evict' });
}

function pick(wish: number | 'none' | undefined, present: number | null, factor: number): number | null {
  if (wish === undefined) return present;
  return wish === 'none' ? null : wish * factor;
}

function parseLimit(text: string): number | 'none' {
  if (text === 'none') return text;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError('A whole number from 1, or none, is needed.');
}

async function withStorage(
  command: Command,
  context: CommandContext,
  {
    work,
    ...needs
  }: { isAlone: boolean; isLeavingBehind?: boolean; work: (storage: Storage) => Promise<void> },
): Promise<void> {
  const { dataDir } = findUserFolders(command.optsWithGlobals<GlobalOptions>());
  // Loaded only now: wrong usage is told at once, before the whole program is read.
  const backend = await import('../backend/commands.ts');
  const opened = backend.openCommandStorage({
    dataDir,
    settings: createConfStore(dataDir),
    ...needs,
    appVersion,
    clock: systemClock,
    logger: silentLogger,
  });
  const stop = (): void => opened.storage.stop();
  context.signal.addEventListener('abort', stop);
  try {
    await work(opened.storage);
  } finally {
    context.signal.removeEventListener('abort', stop);
    await opened.close();
  }
}

async function forEachLibrary(
  storage: Storage,
  context: CommandContext,
  toTask: (connectionId: string) => StorageTask,
): Promise<void> {
  const { libraries } = await storage.status();
  const results = [];
  for (const { connectionId, name } of libraries) {
    const { facts } = check(await runTold(storage, context, toTask(connectionId)));
    results.push({ connectionId, name, ...facts });
  }
  await context.stdout.writeJson({ libraries: results });
  const problemCount = results.reduce(
    (sum, result) => sum + Number(Reflect.get(result, 'problemCount') ?? 0),
    0,
  );
  if (problemCount > 0) {
    throw new AppError('library.corrupt', `${String(problemCount)} problems found`, {
      details: { problemCount },
    });
  }
}

async function perform(storage: Storage, context: CommandContext, task: StorageTask): Promise<void> {
  await context.stdout.writeJson(check(await runTold(storage, context, task)).facts);
}

/** Does a task, telling on a terminal how far it is. */
async function runTold(
  storage: Storage,
  context: CommandContext,
  task: StorageTask,
): Promise<StorageOutcome> {
  const tell = (): void => {
    const { running } = storage;
    const percent = running?.fraction == null ? '' : ` ${String(Math.floor(running.fraction * 100))} %`;
    if (running) process.stderr.write(`\r\u001b[2K${running.kind}${percent}`);
  };
  const stop = context.isTerminal ? storage.onChange(tell) : () => undefined;
  try {
    return await storage.run(task);
  } finally {
    stop();
    if (context.isTerminal) process.stderr.write('\r\u001b[2K');
  }
}

function check(outcome: StorageOutcome): StorageOutcome {
  if (outcome.error) throw AppError.fromData(outcome.error);
  return outcome;
}
