import { InvalidArgumentError, Option, type Command } from 'commander';
import { isAppError } from '#shared/errors/app-error.ts';
import type { AssetRule } from '#shared/selection/asset-rule.ts';
import { maxOrderedFiles } from '#shared/transfer/download-order.ts';
import { usualRuleLimits, type DownloadRule, type RuleRun } from '#shared/transfer/download-rule.ts';
import { parseWholeNumber } from '../host/parse-option.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { toExitCode } from './exit-code.ts';
import { makeDestination } from './make-destination.ts';
import { addChoiceOptions, readChoice, type ChoiceOptions } from './queue/choice-options.ts';
import { withQueue, type OpenedQueue } from './queue/open-queue.ts';
import { sayBytes, sayCount } from './queue/words.ts';

interface SetOptions extends GlobalOptions, ChoiceOptions {
  to: string;
  maxFiles: number;
  maxSize: { bytes: number | null };
  every?: number;
  includePresent?: boolean;
}

const help = `
A rule queues the chosen assets of items that are new in a saved search, each once, in the folder that it names. It runs
when somebody looks for what is new in the window, there also every so many hours with --every, and with
swath saved rule run, which a timer of the system may call every night before swath queue run:
  swath saved rule set Valais --assets visual --to images --max-size 20GB
  swath saved rule run && swath queue run
What is there when the rule is made counts as known, unless --include-present is given. What the limits leave is for
the next run. Nothing is queued while the disk has no room for it.
`;

/** `swath saved rule …`: rules that queue new items of saved searches. */
export function addSavedRuleCommands(saved: Command, context: CommandContext): void {
  const rule = saved
    .command('rule')
    .description('rules that queue what is new in saved searches: set, list, on, off, remove, run')
    .addHelpText('after', help);
  const set = rule
    .command('set')
    .description('make or change the rule of a saved search, and switch it on')
    .argument('<name>', 'the saved search')
    .requiredOption('--to <folder>', 'folder to put the files in; made if it is missing')
    .option(
      '--max-files <number>',
      'files of one run at most',
      (text) => parseWholeNumber(text, { min: 1, max: maxOrderedFiles }),
      usualRuleLimits.maxFiles,
    )
    .addOption(
      new Option('--max-size <size>', 'bytes of one run at most: 500MB, 20GB or none')
        .argParser(parseSize)
        .default({ bytes: usualRuleLimits.maxBytes }, `${usualRuleLimits.maxBytes / 1e9}GB`),
    )
    .option('--every <hours>', 'how often the open window runs it by itself (default: never)', (text) =>
      parseWholeNumber(text, { min: 1, max: 720 }),
    )
    .option('--include-present', 'queue what is there already and was not seen, too');
  addChoiceOptions(set).action(async function (this: Command, name: string) {
    const options = this.optsWithGlobals<SetOptions>();
    const choice = readChoice(options);
    const destination = makeDestination(options.to);
    const runs: Running['runs'] = [];
    await withQueue(options, context, {
      work: async (queue) => {
        const terms = {
          choice,
          destination,
          links: options.links,
          maxFiles: options.maxFiles,
          maxBytes: options.maxSize.bytes,
          everyHours: options.every ?? null,
        };
        const isPrimed = options.includePresent === true;
        const { connectionId } = queue;
        await queue.rules.save({ connectionId, name, terms, isPrimed });
        await run(queue, [name], { context, isJson: options.json === true, runs });
      },
    });
  });

  rule
    .command('list')
    .description('print the rules and what they did last; as JSON with --json')
    .action(async function (this: Command) {
      const options = this.optsWithGlobals<GlobalOptions>();
      await withQueue(options, context, {
        isReading: true,
        work: async (queue) => {
          const { rules } = await queue.rules.list({ connectionId: queue.connectionId });
          if (options.json) await context.stdout.writeJson({ rules });
          else for (const one of rules) await context.stdout.writeLine(...toCells(one));
        },
      });
    });

  for (const isOn of [true, false]) {
    rule
      .command(isOn ? 'on' : 'off')
      .description(isOn ? 'switch a rule on' : 'switch a rule off; it keeps what it knows')
      .argument('<name>', 'the saved search')
      .action(async function (this: Command, name: string) {
        await withQueue(this.optsWithGlobals<GlobalOptions>(), context, {
          work: async ({ rules, connectionId }) => {
            await rules.switch({ connectionId, name, isOn });
          },
        });
      });
  }

  rule
    .command('remove')
    .description('remove a rule; what it queued stays')
    .argument('<name>', 'the saved search')
    .action(async function (this: Command, name: string) {
      await withQueue(this.optsWithGlobals<GlobalOptions>(), context, {
        work: async ({ rules, connectionId, isAgain }) => {
          await rules.remove({ connectionId, name }).catch((thrown: unknown) => {
            // The program that ended in the middle may have removed it before it did.
            if (!isAgain || !isAppError(thrown, 'saved.not-found')) throw thrown;
          });
        },
      });
    });

  rule
    .command('run')
    .description('queue what is new: by the rule of a saved search, or by all that are on')
    .argument('[name]', 'the saved search')
    .action(async function (this: Command, name: string | undefined) {
      const options = this.optsWithGlobals<GlobalOptions>();
      const runs: Running['runs'] = [];
      await withQueue(options, context, {
        work: async (queue) => {
          const { rules } = await queue.rules.list({ connectionId: queue.connectionId });
          const meant =
            name === undefined ? rules.filter(({ isOn }) => isOn).map((rule) => rule.name) : [name];
          await run(queue, meant, { context, isJson: options.json === true, runs });
        },
      });
    });
}

interface Running {
  context: CommandContext;
  isJson: boolean;
  /** What has run already, with a program that has ended since, and was told. */
  runs: (RuleRun & { name: string })[];
}

async function run(
  queue: OpenedQueue,
  names: readonly string[],
  { context, isJson, runs }: Running,
): Promise<void> {
  const { rules, connectionId } = queue;
  for (const name of names) {
    if (runs.some((run) => run.name === name)) continue;
    const done = await rules.run({ connectionId, name }, context);
    runs.push({ name, ...done });
    if (!isJson) context.say(`${name}: ${describeRun(done)}`);
    // The others have a try; the first failure is what the command ends with.
    if (done.error) context.endWith(toExitCode(done.error.code));
  }
  if (isJson) await context.stdout.writeJson({ runs });
}

/** What a run of a rule did, in words. */
function describeRun({ isFirst, itemCount, fileCount, knownBytes, downloadId, ...rest }: RuleRun): string {
  if (rest.error) return `nothing was queued: ${rest.error.message}`;
  if (isFirst) return `took note of ${sayCount(itemCount, 'item')}; new ones are queued from now on`;
  const order = downloadId === null ? '' : ` as order ${downloadId}`;
  const parts = [
    sayCount(itemCount, 'new item'),
    fileCount > 0
      ? `${sayCount(fileCount, 'file')} queued${order}, ${sayBytes(knownBytes)} announced`
      : 'nothing queued',
    rest.leftCount > 0 ? `${sayCount(rest.leftCount, 'item')} left for the next run by the limits` : null,
    rest.tooLargeCount > 0 ? `${sayCount(rest.tooLargeCount, 'item')} larger than the limits allow` : null,
  ];
  return parts.filter((part) => part !== null).join('; ');
}

function toCells({ name, isOn, choice, destination, lastRun }: DownloadRule & { name: string }): string[] {
  const last = lastRun === null ? 'never run' : `${lastRun.at} ${describeRun(lastRun)}`;
  return [name, isOn ? 'on' : 'off', writeChoice(choice), destination, last];
}

function writeChoice({ keys, roles, bands, pattern }: AssetRule): string {
  return [...keys, ...roles.map((role) => `role ${role}`), ...bands.map((band) => `band ${band}`), pattern]
    .filter((part) => part !== '')
    .join(', ');
}

function parseSize(text: string): { bytes: number | null } {
  if (text === 'none') return { bytes: null };
  const [, number = '', prefix = 'x'] = /^(\d+(?:\.\d+)?) ?([kMGT])B$/.exec(text) ?? [];
  const bytes = Math.round(Number(number) * ({ k: 1e3, M: 1e6, G: 1e9, T: 1e12 }[prefix] ?? 0));
  if (bytes >= 1) return { bytes };
  throw new InvalidArgumentError('A size is needed, such as 500MB, 20GB or none.');
}
