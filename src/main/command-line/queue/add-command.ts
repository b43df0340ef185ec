import type { Command } from 'commander';
import { AppError } from '#shared/errors/app-error.ts';
import type { AssetRule } from '#shared/selection/asset-rule.ts';
import { maxOrderedFiles, type OrderPlan, type OrderProgress } from '#shared/transfer/download-order.ts';
import type { CommandContext, GlobalOptions } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { makeDestination } from '../make-destination.ts';
import {
  addChoiceOptions,
  addPriorityOption,
  addS3Option,
  readChoice,
  type ChoiceOptions,
  type PriorityOptions,
  type S3Options,
} from './choice-options.ts';
import { describePlan, describeProblems } from './describe-plan.ts';
import { gatherItems, nameItems, readItems, type FoundItems, type ItemSource } from './find-items.ts';
import { withQueue, type OpenedQueue } from './open-queue.ts';
import { sayCount } from './words.ts';

interface Options extends GlobalOptions, ChoiceOptions, PriorityOptions, S3Options {
  to: string;
  fromSearch?: string;
  title?: string;
  dryRun?: boolean;
}

const help = `
Items are named, or come from a saved search, or as lines of JSON on standard input:
  swath queue add sentinel-2-l2a S2A_T32TLS_20260504 --assets visual,B04 --to images
  swath queue add --from-search Valais --roles data --to images
  swath search --collections sentinel-2-l2a --max-items 20 | swath queue add --assets visual --to images -

The plan goes to standard error, the number of the order to standard output. The queue is the one that the window
shows; it works when the window is open, or with swath queue run. A program that has the queue reaches the catalog with
what it knows of it: no token of this command is handed on. What can't be queued is named, and the command exits with 6.
`;

/** `swath queue add`: assets of items into the queue. */
export function addAddCommand(queue: Command, context: CommandContext): void {
  const command = queue
    .command('add')
    .description('queue assets of items; prints what it will bring, and the number of the order')
    .argument('[collection]', 'id of the collection; - reads items from standard input')
    .argument('[items...]', 'ids of its items')
    .requiredOption('--to <folder>', 'folder to put the files in; made if it is missing')
    .option('--from-search <name>', 'the items of this saved search, asked anew')
    .option('--title <title>', 'what the order is called in the window')
    .option('--dry-run', 'only print what it would bring; the folder is made');
  addS3Option(addPriorityOption(addChoiceOptions(command)))
    .addHelpText('after', help)
    .action(async function (this: Command, collection: string | undefined, itemIds: string[]) {
      const options = this.optsWithGlobals<Options>();
      const rule = readChoice(options);
      const named = checkSource({ collection, itemIds, fromSearch: options.fromSearch });
      const destination = makeDestination(options.to);
      const source = named ?? (await readItems());
      const told: Told = { plan: null };
      await withQueue(options, context, {
        work: async (queue) => {
          const found = await gatherItems(queue, source, context);
          await add(queue, { options, context, rule, destination, found, told });
        },
      });
    });
}

interface Named {
  collection: string | undefined;
  itemIds: string[];
  fromSearch: string | undefined;
}

// Null: standard input, which is read only when it is asked for: a script's own must not be swallowed by chance.
function checkSource({ collection, itemIds, fromSearch }: Named): ItemSource | null {
  const isStdin = collection === '-' && itemIds.length === 0;
  const isNamed = collection !== undefined && !isStdin;
  const count = Number(isStdin) + Number(isNamed) + Number(fromSearch !== undefined);
  const why =
    count === 0
      ? 'name a collection and its items, or give --from-search, or - for standard input'
      : count > 1
        ? 'items come from one place: named, --from-search or standard input'
        : isNamed && itemIds.length === 0
          ? 'name the items of the collection as well'
          : null;
  if (why !== null) throw new AppError('input.invalid', why, { details: { field: 'items', why } });
  if (fromSearch !== undefined) return { savedName: fromSearch };
  return isNamed ? nameItems(itemIds.map((itemId) => ({ collectionId: collection, itemId }))) : null;
}

/** What was said already, however often the order is asked for. */
interface Told {
  /** What was placed since is in no other. */
  plan: OrderPlan | null;
}

interface Adding {
  options: Options;
  context: CommandContext;
  rule: AssetRule;
  destination: string;
  found: FoundItems;
  told: Told;
}

async function add(
  queue: OpenedQueue,
  { options, context, rule, destination, found, told }: Adding,
): Promise<void> {
  const { orders, connectionId, askKey } = queue;
  const { signal } = context;
  const { keys, ...others } = rule;
  const isKeysOnly = others.roles.length + others.bands.length === 0 && others.pattern === '';
  // Keys of items that somebody named must be there; of many items, those that have them are meant.
  const wanted = found.origin.kind === 'item' && isKeysOnly ? keys : rule;
  const order = { connectionId, destination, wanted };
  const isTold = told.plan !== null;
  const plan = (told.plan ??= await orders.plan(order, { signal }));
  if (!options.json && !isTold) for (const line of describePlan(plan, destination)) context.say(line);
  if (options.dryRun) return tellDry(plan, { isJson: options.json === true, context });
  if (plan.fileCount + plan.queuedCount > maxOrderedFiles) {
    const why = `one order takes at most ${maxOrderedFiles} files`;
    throw new AppError('input.too-large', why, { details: { field: 'items', limit: maxOrderedFiles, why } });
  }
  const progress = await orders.place(
    {
      ...order,
      links: options.links,
      s3Access: options.s3Access,
      title: (options.title ?? found.title).slice(0, 500),
      origin: found.origin,
      priority: options.priority,
    },
    { signal, askKey },
  );
  await tell(progress, { plan, isJson: options.json === true, context });
}

async function tellDry(
  plan: OrderPlan,
  { isJson, context }: { isJson: boolean; context: CommandContext },
): Promise<void> {
  if (isJson) await context.stdout.writeJson({ order: null, plan });
  else for (const line of describeProblems(plan.problems, plan.problemCount)) context.say(line);
  if (plan.problemCount > 0) context.endWith(exitCodes.unfinished);
  else if (plan.fileCount + plan.queuedCount + plan.thereCount === 0) throw nothingFits();
}

async function tell(
  progress: OrderProgress,
  { plan, isJson, context }: { plan: OrderPlan; isJson: boolean; context: CommandContext },
): Promise<void> {
  const { downloadId, problems, problemCount, fileCount, thereCount } = progress;
  if (problemCount > 0) context.endWith(exitCodes.unfinished);
  if (isJson) await context.stdout.writeJson({ order: downloadId, plan, problems });
  else {
    for (const line of describeProblems(problems, problemCount)) context.say(line);
    // Between plan and order the catalog is asked again, and may know better, or have failed.
    if (fileCount !== plan.fileCount + plan.queuedCount)
      context.say(`queued otherwise than planned: ${sayCount(fileCount, 'file')}`);
    if (downloadId !== null) await context.stdout.write(`${downloadId}\n`);
  }
  if (downloadId !== null) return;
  const [problem] = problems;
  if (problem) throw AppError.fromData(problem.error);
  if (thereCount > 0) return;
  throw nothingFits();
}

function nothingFits(): AppError {
  return new AppError('stac.asset-not-found', 'None of the items has an asset that fits', {
    details: { assetKey: '' },
  });
}
