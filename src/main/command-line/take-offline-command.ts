import { Option, type Command } from 'commander';
import { AppError } from '#shared/errors/app-error.ts';
import { sizeOfItems, sizeOfPictures, type OfflineEstimate } from '#shared/offline/offline-estimate.ts';
import type { OfflineChoice, OfflineJob } from '#shared/offline/offline-job.ts';
import { describeSearch } from '#shared/search/describe-search.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import { noAssets } from '#shared/selection/asset-rule.ts';
import { defaultSettings } from '#shared/settings/settings.ts';
import type { LinkMode } from '#shared/transfer/transfer.ts';
import type { openCommandOffline } from '../backend/commands.ts';
import { systemClock } from '../backend/ports.ts';
import { appVersion } from '../host/app-version.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { makeDestination } from './make-destination.ts';
import { withCatalog } from './open-catalog.ts';
import { checkName, withSavedSearches } from './open-saved.ts';
import { hasQuestion, readSearchOptions } from './read-search-options.ts';
import { addQuestionOptions, type QuestionOptions } from './search-options.ts';

interface Options extends GlobalOptions, QuestionOptions {
  name?: string;
  saved?: string;
  thumbnails?: boolean;
  assets?: string;
  to?: string;
  links: LinkMode;
  dryRun?: boolean;
}

type CommandOffline = ReturnType<typeof openCommandOffline>;

/** How often it is said how far it is. */
const intervalMs = 2000;

/** `swath take-offline`: all of an answer into the library, goes on where an earlier run of it was interrupted. */
export function addTakeOfflineCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('take-offline')
    .description(
      'fetch all that a question brings into the library, to search it with no network; the same command goes on where it was interrupted',
    );
  addQuestionOptions(command)
    .option('--saved <name>', 'the question that was saved under this name')
    .option('--name <name>', 'what it is called in the window (default: the question in words)')
    .option('--thumbnails', 'the pictures of the items too')
    .option('--assets <names>', 'download these assets of each item too, by key or file name: "B0*, SCL"')
    .option('--to <folder>', 'with --assets: folder to put them in; made if it is missing')
    .addOption(
      new Option('--links <kind>', 'which download links to use')
        .choices(['signed', 'proxy', 'auto'])
        .default('auto'),
    )
    .option('--dry-run', 'only say how much it would be')
    .action(async function (this: Command) {
      const options = this.optsWithGlobals<Options>();
      const choice = readChoice(options);
      if (options.name !== undefined) options.name = checkName(options.name);
      const question = await readQuestion(options, context);
      await withCatalog(options, context, async (opened) => {
        // Loaded only now: wrong usage is told at once, before the whole program is read.
        const { openCommandOffline } = await import('../backend/commands.ts');
        const offline = openCommandOffline({
          ...opened,
          appVersion,
          maxConcurrentTransfers: defaultSettings.maxConcurrentTransfers,
          clock: systemClock,
        });
        try {
          await take(offline, { options, context, question, choice });
        } finally {
          await offline.close();
        }
      });
    });
}

interface Work {
  options: Options;
  context: CommandContext;
  question: SavedQuestion;
  choice: OfflineChoice;
}

async function take(offline: CommandOffline, { options, context, question, choice }: Work): Promise<void> {
  const isJson = options.json === true;
  const estimate = await offline.estimate(question, context.signal);
  if (!isJson) context.say(describeEstimate(estimate, choice));
  if (options.dryRun) {
    if (isJson) await context.stdout.writeJson(estimate);
    return;
  }
  const words = describeSearch(question.query, { localFilter: question.localFilter }).join(', ');
  const job = await follow(offline, {
    jobId: offline.start({ name: (options.name ?? options.saved ?? words).slice(0, 120), question, choice }),
    context,
    isQuiet: isJson,
  });
  if (job.error && job.stage !== 'end') throw AppError.fromData(job.error);
  await finish(offline, job, { context, isJson });
}

/** Brings the files home, and says how it all went. */
async function finish(
  offline: CommandOffline,
  job: OfflineJob,
  { context, isJson }: { context: CommandContext; isJson: boolean },
): Promise<void> {
  if (job.fileCount > 0 && !isJson) context.say(`${String(job.fileCount)} files are queued`);
  const files = job.fileCount > 0 ? await offline.bringFilesHome(context.signal) : [];
  const failed = files.filter(({ state }) => state !== 'done');
  const doneCount = files.length - failed.length;
  if (isJson) await context.stdout.writeJson({ ...toSummary(job), filesDone: doneCount });
  else context.say(describeEnd(job, doneCount));
  if (job.error) throw AppError.fromData(job.error);
  if (failed[0]?.error) throw AppError.fromData(failed[0].error);
  if (job.pictureFailedCount + job.fileFailedCount + job.missedCount > 0)
    throw new AppError('internal', 'Not all of it could be had; the same command tries again');
}

async function follow(
  offline: CommandOffline,
  { jobId, context, isQuiet }: { jobId: number; context: CommandContext; isQuiet: boolean },
): Promise<OfflineJob> {
  let saidAtMs = -Infinity;
  let saidState = '';
  const refused = Promise.withResolvers<OfflineJob>();
  const stop = offline.onChange(() => {
    const job = offline.find(jobId);
    if (job && isRefused(job)) refused.resolve(job);
    const nowMs = performance.now();
    if (isQuiet || !job || (nowMs - saidAtMs < intervalMs && job.state === saidState)) return;
    saidAtMs = nowMs;
    saidState = job.state;
    context.say(describeProgress(job));
  });
  try {
    return await Promise.race([offline.waitUntilSettled(jobId, context.signal), refused.promise]);
  } finally {
    stop();
  }
}

/** Whether it waits for a login: a command has the token it was given, and the same command goes on with another. */
function isRefused({ state, error }: OfflineJob): boolean {
  return state === 'waiting' && error !== null && error.code.startsWith('auth.');
}

async function readQuestion(options: Options, context: CommandContext): Promise<SavedQuestion> {
  const { saved } = options;
  if (saved === undefined) return readSearchOptions(options, options.json ? () => undefined : context.say);
  if (hasQuestion(options))
    refuse('saved', 'it asks the question as it was saved; leave out the options that change it');
  return withSavedSearches(options, context, {
    isReading: true,
    work: (searches) => searches.get(saved).question,
  });
}

function readChoice({ thumbnails, assets, to, links }: Options): OfflineChoice {
  if (assets === undefined) return { hasPictures: thumbnails === true, assets: null };
  if (to === undefined) refuse('assets', 'it needs --to');
  const destination = makeDestination(to);
  const rule = { ...noAssets, pattern: assets };
  return { hasPictures: thumbnails === true, assets: { rule, destination, links } };
}

function refuse(field: string, why: string): never {
  throw new AppError('input.invalid', `--${field}: ${why}`, { details: { field, why } });
}

function describeEstimate(estimate: OfflineEstimate, { hasPictures }: OfflineChoice): string {
  const items = sizeOfItems(estimate);
  if (!items) return 'the catalog does not say how many items there are';
  const pictures = hasPictures ? sizeOfPictures(estimate) : null;
  const bytes = (items.bytes ?? 0) + (pictures?.bytes ?? 0);
  const seconds = ((items.durationMs ?? 0) + (pictures?.durationMs ?? 0)) / 1000;
  const withPictures = pictures ? ` and ${String(pictures.count)} thumbnails` : '';
  return `about ${String(items.count)} items${withPictures}, ${toMegabytes(bytes)}, ${String(Math.ceil(seconds))} s`;
}

function describeProgress({
  state,
  error,
  itemCount,
  matched,
  pictureCount,
  pictureTotal,
  receivedBytes,
}: OfflineJob): string {
  // Some catalogs say fewer than they give.
  const total = matched === null || itemCount > matched ? '' : ` of ${String(matched)}`;
  const pictures = pictureTotal > 0 ? `, ${String(pictureCount)} of ${String(pictureTotal)} thumbnails` : '';
  const why = state === 'waiting' && error ? ` (waits: ${error.message})` : '';
  return `${String(itemCount)}${total} items${pictures}, ${toMegabytes(receivedBytes)}${why}`;
}

function describeEnd(
  { itemCount, pictureCount, receivedBytes, ...job }: OfflineJob,
  fileCount: number,
): string {
  const losses = [
    job.missedCount > 0 ? `${String(job.missedCount)} items could not be read` : null,
    job.pictureFailedCount > 0 ? `${String(job.pictureFailedCount)} thumbnails could not be had` : null,
    job.fileFailedCount > 0 ? `files of ${String(job.fileFailedCount)} items could not be queued` : null,
  ].filter((loss) => loss !== null);
  return [
    `${String(itemCount)} items are in the library`,
    ...(job.hasPictures ? [`${String(pictureCount)} thumbnails`] : []),
    ...(fileCount > 0 ? [`${String(fileCount)} files`] : []),
    toMegabytes(receivedBytes),
    ...losses,
  ].join(', ');
}

function toSummary({ itemCount, pictureCount, fileCount, receivedBytes, ...job }: OfflineJob) {
  const { missedCount, pictureFailedCount, fileFailedCount, state } = job;
  return {
    state,
    items: itemCount,
    missed: missedCount,
    thumbnails: pictureCount,
    thumbnailsFailed: pictureFailedCount,
    files: fileCount,
    filesFailed: fileFailedCount,
    receivedBytes,
  };
}

function toMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
