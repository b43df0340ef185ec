import { Option, type Command } from 'commander';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import { defaultSettings } from '#shared/settings/settings.ts';
import type { OrderProblem } from '#shared/transfer/download-order.ts';
import type { LinkMode, Transfer } from '#shared/transfer/transfer.ts';
import type { openCommandQueue } from '../backend/commands.ts';
import { systemClock } from '../backend/ports.ts';
import { appVersion } from '../host/app-version.ts';
import { parseWholeNumber } from '../host/parse-option.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { exitCodes } from './exit-code.ts';
import { makeDestination } from './make-destination.ts';
import { withKeptCatalog, type OpenedCatalog } from './open-catalog.ts';
import { createProgressPrinter } from './print-progress.ts';
import { splitList } from './read-search-options.ts';
import { createStandstill } from './standstill.ts';
import { describeResult } from './describe-result.ts';

type Downloads = ReturnType<typeof openCommandQueue>;

interface Options extends GlobalOptions {
  assets: string;
  to: string;
  links: LinkMode;
  patience: number;
}

interface Order {
  connectionId: string;
  collectionId: string;
  itemId: string;
  assetKeys: string[];
  destination: string;
  links: LinkMode;
}

/** `swath download`: assets of one item into a folder, verified; goes on where an earlier run of it was interrupted. */
export function addDownloadCommand(program: Command, context: CommandContext): void {
  program
    .command('download')
    .description('download assets of an item; prints the files')
    .argument('<collection>', 'id of its collection')
    .argument('<item>', 'id of the item')
    .requiredOption('--assets <keys>', 'keys of the assets: a,b')
    .requiredOption('--to <folder>', 'folder to put them in; made if it is missing')
    .addOption(
      new Option('--links <kind>', 'which download links to use')
        .choices(['signed', 'proxy', 'auto'])
        .default('auto'),
    )
    .option(
      '--patience <seconds>',
      'give up when nothing has come for so long; the same command goes on later',
      (text) => parseWholeNumber(text, { min: 1, max: 86_400 }),
      120,
    )
    .action(async function (this: Command, collectionId: string, itemId: string) {
      const options = this.optsWithGlobals<Options>();
      const assetKeys = [...new Set(splitList('assets', options.assets))];
      const destination = makeDestination(options.to);
      await withKeptCatalog(options, context, async (_catalog, opened) => {
        const downloads = await openQueue(opened, JSON.stringify([collectionId, itemId, destination]));
        try {
          const { connectionId } = opened;
          const order = { connectionId, collectionId, itemId, assetKeys, destination, links: options.links };
          const isJson = options.json === true;
          await bringHome(downloads, order, {
            ...context,
            isQuiet: isJson,
            patienceMs: options.patience * 1000,
            report: (brought) => report(brought, { isJson, context }),
          });
        } finally {
          await downloads.close();
        }
      });
    });
}

// A queue for each item and folder: commands can run beside each other, and none goes on with another's files.
async function openQueue(
  { access, connectionId, network, dataDir, logger }: OpenedCatalog,
  orderKey: string,
): Promise<Downloads> {
  const { openCommandQueue, openCommandNotebook } = await import('../backend/commands.ts');
  const noteDestination = (used: { connectionId: string; destination: string; usedAtMs: number }): void => {
    const notebook = openCommandNotebook(dataDir);
    notebook.downloadFolders.note(used.connectionId, used.destination, used.usedAtMs);
    notebook.close();
  };
  const folder = join(dataDir, 'command-line');
  mkdirSync(folder, { recursive: true });
  const name = createHash('sha256').update(`${connectionId}\n${orderKey}`).digest('hex').slice(0, 24);
  return openCommandQueue({
    access,
    network,
    filePath: join(folder, `download-${name}.sqlite`),
    appVersion,
    maxConcurrentTransfers: defaultSettings.maxConcurrentTransfers,
    clock: systemClock,
    logger,
    noteDestination,
  });
}

/** What became of an order, and what of it can't be ordered. */
interface Brought {
  transfers: Transfer[];
  problems: readonly OrderProblem[];
}

interface Bringing extends CommandContext {
  isQuiet: boolean;
  patienceMs: number;
  report: (brought: Brought) => Promise<void>;
}

async function bringHome(downloads: Downloads, order: Order, context: Bringing): Promise<void> {
  const { connectionId, collectionId, itemId, assetKeys, destination, links } = order;
  const { report } = context;
  const there = await findThere(downloads, assetKeys, context.signal);
  const missing = assetKeys.filter((key) => !there.some((one) => one.assetKey === key));
  if (missing.length === 0) return report({ transfers: there, problems: [] });
  const ref = { collectionId, itemId };
  const { downloadId, problems } = await downloads
    .start({ connectionId, ref, assetKeys: missing, destination, links })
    .catch(async (error: unknown) => {
      if (there.length > 0) await report({ transfers: there, problems: [] });
      throw error;
    });
  const came = await untilSettled(downloads, downloadId, context);
  return report({ transfers: [...there, ...came], problems });
}

async function untilSettled(
  downloads: Downloads,
  downloadId: number,
  context: Bringing,
): Promise<Transfer[]> {
  const printer = createProgressPrinter(context);
  const standstill = createStandstill(context.patienceMs);
  const stop = downloads.watch(({ changed, queue }) => {
    const ordered = changed.filter((one) => one.downloadId === downloadId);
    standstill.update(ordered, queue.hold);
    if (!context.isQuiet) printer.update(ordered);
  });
  try {
    const signal = AbortSignal.any([context.signal, standstill.signal]);
    return await downloads.waitUntilSettled(downloadId, signal);
  } catch (thrown) {
    throw standstill.signal.aborted ? standstill.signal.reason : thrown;
  } finally {
    stop();
    standstill.stop();
    printer.end();
  }
}

// What earlier runs of the command brought home, read again: "verified" is said of the bytes that are there now.
async function findThere(
  downloads: Downloads,
  assetKeys: readonly string[],
  signal: AbortSignal,
): Promise<Transfer[]> {
  const done = downloads.transfers().filter(({ state }) => state === 'done');
  const latest = assetKeys.flatMap((key) => done.findLast((one) => one.assetKey === key) ?? []);
  const [first, ...others] = latest.map(({ transferId }) => transferId);
  if (first === undefined) return [];
  const sound = new Set<number>();
  await downloads.verify(
    { transferIds: [first, ...others] },
    {
      signal,
      onProgress({ results }) {
        for (const { transferId, result } of results) if (result === 'ok') sound.add(transferId);
      },
    },
  );
  return latest.filter(({ transferId }) => sound.has(transferId));
}

async function report(
  { transfers, problems }: Brought,
  { isJson, context }: { isJson: boolean; context: CommandContext },
): Promise<void> {
  const results = transfers.map(describeResult);
  if (isJson) await context.stdout.writeJson({ files: results.map(({ file }) => file), problems });
  else for (const { assetKey, error } of problems) context.say(`${assetKey ?? ''}: ${error.message}`);
  if (problems.length > 0) context.endWith(exitCodes.unfinished);
  for (const { file, sentence } of results) {
    if (isJson) continue;
    context.say(sentence);
    if (file.state === 'done' && file.path !== null) await context.stdout.writeText(file.path);
  }
  const failed = transfers.find((one) => one.state !== 'done');
  if (!failed) return;
  if (failed.error) throw AppError.fromData(failed.error);
  throw new AppError('cancelled', `${failed.assetKey} was not downloaded: it is ${failed.state}`);
}
