import { Option, type Command } from 'commander';
import { basename, dirname, extname, resolve } from 'node:path';
import { stat } from 'node:fs/promises';
import { AppError } from '#shared/errors/app-error.ts';
import { exportFormats, formatExtensions, type ExportFormat } from '#shared/exchange/export-format.ts';
import { passesLocalFilter } from '#shared/search/local-filter.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import { cloudCoverOf, type IdentifiedItem } from '#shared/stac/item.ts';
import { systemClock } from '../backend/ports.ts';
import { parseWholeNumber } from '../host/parse-option.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { makeDestination } from './make-destination.ts';
import { withCatalog } from './open-catalog.ts';
import { withExchange } from './open-exchange.ts';
import { withSavedSearches } from './open-saved.ts';
import { hasQuestion, readSearchOptions, splitList } from './read-search-options.ts';
import { addQuestionOptions, type QuestionOptions } from './search-options.ts';
import { toSentQuestion } from './to-sent-question.ts';

interface Options extends GlobalOptions, QuestionOptions {
  format?: ExportFormat;
  to: string;
  replace?: boolean;
  properties?: string;
  excel?: boolean;
  saved?: string;
  past?: number;
  collection?: string;
  library?: boolean;
  offline?: boolean;
}

interface Source {
  batches: AsyncIterable<IdentifiedItem[]>;
  asOf: () => string | null;
  collections: readonly StacCollection[];
}

const itemsPerBatch = 100;
const examples = `
Examples:
  swath export --collections sentinel-2-l2a --aoi field.kml --to field.geojson
      what the catalog has of a field, for QGIS
  swath export --library --to library.parquet
      everything that was seen, for DuckDB; nothing is asked of a network
  swath export --past 12 --to answer.csv --properties eo:cloud_cover,platform
      a search of the history (swath history) as a table
`;

/** `swath export` and `swath import`: items into a file, and out of one into the library. */
export function addExchangeCommands(program: Command, context: CommandContext): void {
  const whole = (min: number) => (text: string) =>
    parseWholeNumber(text, { min, max: Number.MAX_SAFE_INTEGER });
  addQuestionOptions(
    program
      .command('export')
      .description('write items to a file: the answer to a question, or what the library holds'),
  )
    .requiredOption('--to <file>', 'the file to write')
    .addOption(
      new Option('--format <format>', "form of the file (default: as the file's name ends)").choices(
        exportFormats,
      ),
    )
    .option('--replace', 'replace the file if it is there')
    .option('--properties <names>', 'of GeoJSON and CSV, only these properties: a,b')
    .option('--excel', 'begin a CSV with the mark by which Excel knows UTF-8')
    .option('--max-items <number>', 'items overall', whole(0))
    .option('--offline', 'answer the question from the library; nothing is asked of a network')
    .option('--saved <name>', 'the question that was saved under this name')
    .option('--past <number>', 'what a search of the history brought', whole(1))
    .option('--collection <id>', 'all that the library has of a collection')
    .option('--library', 'all that the library has')
    .addHelpText('after', examples)
    .action((_options, command: Command) => runExport(command.optsWithGlobals<Options>(), context));

  program
    .command('import')
    .description(
      'take the items of a file into the library: GeoJSON, STAC, CSV or GeoParquet; prints the number that the history has it under',
    )
    .argument('<file>', 'the file')
    .action((file: string, _options, command: Command) =>
      runImport(file, command.optsWithGlobals<GlobalOptions>(), context),
    );
}

async function runExport(options: Options, context: CommandContext): Promise<void> {
  checkTogether(options);
  const { past, collection, library, offline } = options;
  if (past !== undefined) {
    await withExchange(options, context, (kept) => write(kept.past(past), options, context));
    return;
  }
  if (collection !== undefined || library) {
    const query = collection === undefined ? {} : { collections: [collection] };
    await withExchange(options, context, (kept) => write(kept.ask(query, null), options, context));
    return;
  }
  const question = await readQuestion(options, context);
  if (offline) {
    await withExchange(options, context, (kept) => {
      const { query, localFilter, maxItems } = question;
      const source = kept.ask(query, localFilter);
      return write({ ...source, batches: firstOf(source.batches, maxItems) }, options, context);
    });
    return;
  }
  await withCatalog(options, context, async ({ access }) => {
    const pages = access.catalog.search(toSentQuestion(question));
    const asOf = new Date(systemClock.now()).toISOString();
    const source = { asOf: () => asOf, collections: [] };
    await write({ ...source, batches: answerOf(pages, question, context) }, options, context);
  });
}

async function write(source: Source, options: Options, context: CommandContext): Promise<void> {
  const path = resolve(options.to);
  makeDestination(dirname(path));
  const { exportItems } = await import('../backend/commands.ts');
  const file = await exportItems(
    source.batches,
    {
      path,
      format: formatOf(options),
      canReplace: options.replace === true,
      properties: options.properties === undefined ? null : splitList('properties', options.properties),
      hasByteOrderMark: options.excel === true,
      asOf: source.asOf,
      collections: source.collections,
    },
    { onProgress: () => undefined, signal: context.signal },
  );
  if (options.json) await context.stdout.writeJson(file);
  else {
    context.say(`${countItems(file.itemCount)}, ${(file.sizeBytes / 1e6).toFixed(1)} MB`);
    await context.stdout.writeText(file.path);
  }
}

async function* answerOf(
  pages: { next(options: { signal: AbortSignal }): Promise<{ items: IdentifiedItem[] } | null> },
  { localFilter, maxItems }: SavedQuestion,
  { signal }: CommandContext,
): AsyncGenerator<IdentifiedItem[]> {
  async function* batches(): AsyncGenerator<IdentifiedItem[]> {
    for (let page = await pages.next({ signal }); page; page = await pages.next({ signal })) {
      yield page.items.filter(({ item }) => passesLocalFilter(cloudCoverOf(item), localFilter));
    }
  }
  yield* firstOf(batches(), maxItems);
}

async function* firstOf(
  batches: AsyncIterable<IdentifiedItem[]>,
  maxItems: number | null,
): AsyncGenerator<IdentifiedItem[]> {
  let left = maxItems ?? Infinity;
  for await (const items of batches) {
    const taken = items.slice(0, left);
    left -= taken.length;
    for (let start = 0; start < taken.length; start += itemsPerBatch)
      yield taken.slice(start, start + itemsPerBatch);
    if (left <= 0) return;
  }
}

async function readQuestion(options: Options, context: CommandContext): Promise<SavedQuestion> {
  const { saved } = options;
  const say = options.json ? () => undefined : context.say;
  const question =
    saved === undefined
      ? await readSearchOptions(options, say)
      : await withSavedSearches(options, context, {
          isReading: true,
          work: (searches) => searches.get(saved).question,
        });
  return { ...question, maxItems: options.maxItems ?? question.maxItems };
}

function formatOf({ format, to }: Options): ExportFormat {
  if (format) return format;
  const extension = extname(to).toLowerCase();
  const found = exportFormats.find((one) => formatExtensions[one] === extension);
  if (found) return found;
  throw invalid(
    'format',
    `it is needed: ${basename(to)} doesn't say which; one of ${exportFormats.join(', ')}`,
  );
}

function checkTogether(options: Options): void {
  const { saved, past, collection, library } = options;
  const named = [saved, past, collection, library].filter((one) => one !== undefined).length;
  if (named > 1) throw invalid('past', 'give one of --saved, --past, --collection and --library');
  if (named === 1 && hasQuestion(options))
    throw invalid(
      'past',
      'leave out the options of a question with --saved, --past, --collection and --library',
    );
  formatOf(options);
}

async function runImport(file: string, options: GlobalOptions, context: CommandContext): Promise<void> {
  const path = resolve(file);
  if (!(await stat(path).catch(() => null))?.isFile()) throw noFile(file);
  await withExchange(options, context, async (kept) => {
    const { asOfMs, ...imported } = await kept.take(path, basename(path), {
      nowMs: systemClock.now(),
      signal: context.signal,
    });
    const asOf = new Date(asOfMs).toISOString();
    if (options.json) await context.stdout.writeJson({ ...imported, asOf });
    else {
      const { itemCount, keptCount, unknownCollections, searchNumber } = imported;
      const kept =
        keptCount > 0
          ? `; ${String(keptCount)} are in the library, as fresh or with more to them, and stayed`
          : '';
      context.say(`${countItems(itemCount)} as of ${asOf}${kept}`);
      if (unknownCollections.length > 0)
        context.say(`only here, as the catalog doesn't list it: ${unknownCollections.join(', ')}`);
      await context.stdout.write(`${String(searchNumber)}\n`);
    }
  });
}

function countItems(count: number): string {
  return `${String(count)} ${count === 1 ? 'item' : 'items'}`;
}

function noFile(file: string): AppError {
  const why = `There is no file ${file}`;
  return new AppError('input.invalid', why, { details: { field: 'file', why } });
}

function invalid(field: string, why: string): AppError {
  return new AppError('input.invalid', `--${field}: ${why}`, { details: { field, why } });
}
