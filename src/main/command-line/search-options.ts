import { InvalidArgumentError, Option, type Command } from 'commander';
import { maxLimit } from '#shared/search/search-query.ts';
import { parseWholeNumber } from '../host/parse-option.ts';
import type { GlobalOptions } from './command-context.ts';

/** The options of `swath search` that make the question, as written. */
export interface QuestionOptions {
  collections?: string;
  ids?: string;
  datetime?: string;
  bbox?: string;
  intersects?: string;
  aoi?: string;
  query?: string;
  cloudBelow?: number;
  includeUnknownCloud?: boolean;
  sort?: Sort;
  sortby?: string;
  fields?: string;
  light?: boolean;
  limit?: number;
  maxItems?: number;
}

/** Orders that have a name. */
export type Sort = 'newest' | 'oldest' | 'least-cloud' | 'most-cloud';

/** Ways to write a question down. */
export type CodeKind = 'curl' | 'python' | 'swath' | 'json';

/** All options of `swath search`. */
export interface SearchOptions extends GlobalOptions, QuestionOptions {
  method?: 'get' | 'post';
  format: 'ndjson' | 'geojson';
  code?: CodeKind;
  save?: string;
  saved?: string;
  newSinceLast?: boolean;
  offline?: boolean;
  summary?: string | true;
}

const examples = `
Examples:
  swath search --collections sentinel-2-l2a --aoi field.kml --datetime 2026-05-01T00:00:00Z.. --cloud-below 30
      images of a field since May, less than 30 % cloud
  swath search --collections sentinel-2-l2a --aoi field.kml --cloud-below 30 --include-unknown-cloud
      the same, with images of which the catalog doesn't know the cloud cover
  swath search --collections sentinel-2-l2a --bbox 7,46,8,47 --save Valais
      print what there is now, and save the question
  swath search --offline --collections sentinel-2-l2a --summary platform,eo:cloud_cover
      how many images were seen, by month, by satellite and by cloud
  swath search --saved Valais --new-since-last
      print what is new since then; run it every morning
  swath search --saved Valais --code python > valais.py
      the same question for pystac-client; nothing is asked
`;

/** Adds the options that make a question. */
export function addQuestionOptions(command: Command): Command {
  const limit = (text: string): number => parseWholeNumber(text, { min: 1, max: maxLimit });
  return command
    .option('--collections <ids>', 'only these collections: a,b')
    .option('--ids <ids>', 'only these items: a,b')
    .option('--datetime <form>', 'RFC 3339: <ts>, <ts>/<ts>, <ts>.. or ..<ts>')
    .option('--bbox <numbers>', 'west,south,east,north in degrees')
    .option(
      '--aoi <file>',
      'area from a file: GeoJSON, WKT, KML, KMZ, GPX or a zipped Shapefile; - is standard input',
    )
    .option(
      '--intersects <file>',
      'GeoJSON geometry, Feature or FeatureCollection of one, sent as it is; - is standard input',
    )
    .option('--query <json>', 'Query extension: {"eo:cloud_cover":{"lt":10}}')
    .option('--cloud-below <percent>', 'less cloud than this', parsePercent)
    .option(
      '--include-unknown-cloud',
      "with --cloud-below: items of unknown cloud cover as well. The catalog can't be asked for these, so the limit is applied here",
    )
    .addOption(
      new Option('--sort <order>', 'order of the items')
        .choices(['newest', 'oldest', 'least-cloud', 'most-cloud'])
        .conflicts('sortby'),
    )
    .option('--sortby <fields>', 'field ascending, -field descending')
    .option('--fields <paths>', 'a,b includes; -a,-b excludes')
    .addOption(new Option('--light', 'only what a list and a map need of each item').conflicts('fields'))
    .option('--limit <number>', `items a page, at most ${String(maxLimit)}`, limit);
}

/** Adds the options of a search to its command. */
export function addSearchOptions(command: Command): Command {
  const maxItems = (text: string): number => parseWholeNumber(text, { min: 0, max: Number.MAX_SAFE_INTEGER });
  return addQuestionOptions(command)
    .option('--max-items <number>', 'items overall', maxItems)
    .addOption(new Option('--method <method>', 'how to ask').choices(['get', 'post']))
    .option('--offline', 'answer from the library, with what was seen; nothing is asked of a network')
    .option(
      '--summary [properties]',
      'with --offline: how many items there are instead, by collection, by month and by the values of a,b',
    )
    .option('--save <name>', 'save the question under this name; what was printed counts as seen')
    .addOption(
      new Option('--saved <name>', 'ask the question that was saved under this name').conflicts('save'),
    )
    .option(
      '--new-since-last',
      'with --saved: only items that are new since the last look. They count as seen once all were printed',
    )
    .addOption(
      new Option('--code <kind>', 'print the question as code and ask nothing').choices([
        'curl',
        'python',
        'swath',
        'json',
      ]),
    )
    .addOption(
      new Option('--format <format>', 'ndjson: one item a line')
        .choices(['ndjson', 'geojson'])
        .default('ndjson'),
    )
    .addHelpText('after', examples);
}

function parsePercent(text: string): number {
  const number = text.trim() === '' ? NaN : Number(text);
  if (number >= 0 && number <= 100) return number;
  throw new InvalidArgumentError('A number from 0 to 100 is needed.');
}
