import { Option, type Command } from 'commander';
import { createHash } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '#shared/errors/app-error.ts';
import { defaultSettings } from '#shared/settings/settings.ts';
import type { LinkMode, Transfer } from '#shared/transfer/transfer.ts';
import type { openCommandQueue } from '../backend/backend.ts';
import { systemClock } from '../backend/ports.ts';
import { appVersion } from '../host/app-version.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { withCatalog, type OpenedCatalog } from './open-catalog.ts';
import { createProgressPrinter } from './print-progress.ts';
import { splitList } from './read-search-options.ts';
import { describeResult } from './describe-result.ts';

type Downloads = ReturnType<typeof openCommandQueue>;

interface Options extends GlobalOptions {
  assets: string;
  to: string;
  links: LinkMode;
}

interface Order {
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
    .action(async function (this: Command, collectionId: string, itemId: string) {
      const options = this.optsWithGlobals<Options>();
      const assetKeys = [...new Set(splitList('assets', options.assets))];
      const destination = makeDestination(options.to);
      await withCatalog(options, context, async (opened) => {
        const downloads = await openQueue(opened, JSON.stringify([collectionId, itemId, destination]));
        try {
          const order = { collectionId, itemId, assetKeys, destination, links: options.links };
          const transfers = await bringHome(downloads, order, { ...context, isQuiet: options.json === true });
          await report(transfers, { isJson: options.json === true, context });
        } finally {
          await downloads.close();
        }
      });
    });
}

// A queue for each item and folder: commands can run beside each other, and none goes on with another's files.
async function openQueue(
  { access, catalogKey, dataDir, logger }: OpenedCatalog,
  orderKey: string,
): Promise<Downloads> {
  const { openCommandQueue } = await import('../backend/backend.ts');
  const folder = join(dataDir, 'command-line');
  mkdirSync(folder, { recursive: true });
  const name = createHash('sha256').update(`${catalogKey}\n${orderKey}`).digest('hex').slice(0, 24);
  return openCommandQueue({
    access,
    filePath: join(folder, `download-${name}.sqlite`),
    appVersion,
    maxConcurrentTransfers: defaultSettings.maxConcurrentTransfers,
    clock: systemClock,
    logger,
  });
}

async function bringHome(
  downloads: Downloads,
  order: Order,
  context: CommandContext & { isQuiet: boolean },
): Promise<Transfer[]> {
  const { collectionId, itemId, assetKeys, destination, links } = order;
  const earlier = downloads.transfers().filter(isThere);
  const there = assetKeys.flatMap((key) => earlier.findLast((one) => one.assetKey === key) ?? []);
  const missing = assetKeys.filter((key) => !there.some((one) => one.assetKey === key));
  if (missing.length === 0) return there;
  const { downloadId } = await downloads.start({
    ref: { collectionId, itemId },
    assetKeys: missing,
    destination,
    links,
  });
  const printer = createProgressPrinter(context);
  const stop = context.isQuiet
    ? () => undefined
    : downloads.watch(({ changed }) =>
        printer.update(changed.filter((one) => missing.includes(one.assetKey))),
      );
  try {
    return [...there, ...(await downloads.waitUntilSettled(downloadId, context.signal))];
  } finally {
    stop();
    printer.end();
  }
}

/** Whether an earlier run of the command brought this file home and it is still whole. */
function isThere({ state, filePath, totalBytes }: Transfer): boolean {
  if (state !== 'done' || filePath === null) return false;
  const stats = statSync(filePath, { throwIfNoEntry: false });
  return stats !== undefined && (totalBytes === null || stats.size === totalBytes);
}

function makeDestination(to: string): string {
  const destination = resolve(to);
  try {
    mkdirSync(destination, { recursive: true });
    return destination;
  } catch (cause) {
    const message = `The folder ${destination} can't be made`;
    throw new AppError('transfer.destination-not-writable', message, {
      details: { path: destination },
      cause,
    });
  }
}

async function report(
  transfers: readonly Transfer[],
  { isJson, context }: { isJson: boolean; context: CommandContext },
): Promise<void> {
  const results = transfers.map(describeResult);
  if (isJson) await context.stdout.writeJson({ files: results.map(({ file }) => file) });
  for (const { file, sentence } of results) {
    if (isJson) continue;
    context.say(sentence);
    if (file.state === 'done' && file.path !== null) await context.stdout.write(`${file.path}\n`);
  }
  const failed = transfers.find((one) => one.state !== 'done');
  if (!failed) return;
  if (failed.error) throw AppError.fromData(failed.error);
  throw new AppError('cancelled', `${failed.assetKey} was not downloaded: it is ${failed.state}`);
}
