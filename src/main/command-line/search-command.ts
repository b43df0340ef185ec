import { Option, type Command } from 'commander';
import { maxLimit } from '#shared/search/search-query.ts';
import type { StacItem } from '#shared/stac/item.ts';
import { parseWholeNumber } from '../host/parse-option.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { withCatalog, type OpenedCatalog } from './open-catalog.ts';
import type { Output } from './output.ts';
import { readSearchOptions, type SearchOptions } from './read-search-options.ts';

interface Options extends GlobalOptions, SearchOptions {
  maxItems?: number;
  method?: 'get' | 'post';
  format: 'ndjson' | 'geojson';
}

/** `swath search`: items as they come, a summary on standard error. */
export function addSearchCommand(program: Command, context: CommandContext): void {
  const limit = (text: string): number => parseWholeNumber(text, { min: 1, max: maxLimit });
  const maxItems = (text: string): number => parseWholeNumber(text, { min: 0, max: Number.MAX_SAFE_INTEGER });
  program
    .command('search')
    .description('search items; prints one a line')
    .option('--collections <ids>', 'only these collections: a,b')
    .option('--ids <ids>', 'only these items: a,b')
    .option('--datetime <form>', 'RFC 3339: <ts>, <ts>/<ts>, <ts>.. or ..<ts>')
    .option('--bbox <numbers>', 'west,south,east,north in degrees')
    .option(
      '--intersects <file>',
      'GeoJSON geometry, Feature or FeatureCollection of one; - is standard input',
    )
    .option('--query <json>', 'Query extension: {"eo:cloud_cover":{"lt":10}}')
    .option('--sortby <fields>', 'field ascending, -field descending')
    .option('--fields <paths>', 'a,b includes; -a,-b excludes')
    .option('--limit <number>', `items a page, at most ${String(maxLimit)}`, limit)
    .option('--max-items <number>', 'items overall', maxItems)
    .addOption(new Option('--method <method>', 'how to ask').choices(['get', 'post']))
    .addOption(
      new Option('--format <format>', 'ndjson: one item a line')
        .choices(['ndjson', 'geojson'])
        .default('ndjson'),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const query = await readSearchOptions(options);
      await withCatalog(options, context, async ({ access }) => {
        const pages = access.catalog.search(query, options.method ? { method: options.method } : {});
        const summary = await printPages(pages, { ...options, context });
        report(summary, { isJson: options.json === true, context });
      });
    });
}

interface Summary {
  pages: number;
  items: number;
  matched: number | null;
  skipped: { reason: string }[];
  /** Whether the catalog's paging led in a circle, so that items may be missing. */
  isIncomplete: boolean;
}

type Pages = ReturnType<OpenedCatalog['access']['catalog']['search']>;

async function printPages(
  pages: Pages,
  {
    maxItems = Infinity,
    format,
    context,
  }: { maxItems?: number; format: Options['format']; context: CommandContext },
): Promise<Summary> {
  const summary: Summary = { pages: 0, items: 0, matched: null, skipped: [], isIncomplete: false };
  const printer =
    format === 'geojson' ? createGeojsonPrinter(context.stdout) : createLinePrinter(context.stdout);
  let isWanted = await printer.begin();
  while (isWanted && summary.items < maxItems) {
    const page = await pages.next({ signal: context.signal });
    if (!page) break;
    summary.pages++;
    summary.matched ??= page.matched;
    summary.skipped.push(...page.skipped);
    for (const { item } of page.items.slice(0, maxItems - summary.items)) {
      isWanted = await printer.print(item);
      if (!isWanted) break;
      summary.items++;
    }
  }
  await printer.end();
  summary.isIncomplete = pages.isIncomplete;
  return summary;
}

interface Printer {
  begin(): Promise<boolean>;
  print(item: StacItem): Promise<boolean>;
  end(): Promise<unknown>;
}

function createLinePrinter(stdout: Output): Printer {
  return {
    begin: () => Promise.resolve(true),
    print: (item) => stdout.write(`${JSON.stringify(item)}\n`),
    end: () => Promise.resolve(),
  };
}

function createGeojsonPrinter(stdout: Output): Printer {
  let separator = '\n';
  return {
    begin: () => stdout.write('{"type":"FeatureCollection","features":['),
    print: (item) => {
      const text = `${separator}${JSON.stringify(item)}`;
      separator = ',\n';
      return stdout.write(text);
    },
    end: () => stdout.write('\n]}\n'),
  };
}

function report(summary: Summary, { isJson, context }: { isJson: boolean; context: CommandContext }): void {
  if (isJson) {
    context.say(JSON.stringify(summary));
    return;
  }
  for (const { reason } of summary.skipped) context.say(`skipped: ${reason}`);
  if (summary.isIncomplete) context.say("the catalog's paging led in a circle: items may be missing");
  const matched = summary.matched === null ? '' : ` of ${String(summary.matched)} matched`;
  context.say(
    `${count(summary.items, 'item')}${matched} in ${count(summary.pages, 'page')}, ${String(summary.skipped.length)} skipped`,
  );
}

function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}
