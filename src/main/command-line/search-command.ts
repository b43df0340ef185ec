import type { Command } from 'commander';
import { AppError } from '#shared/errors/app-error.ts';
import { toSentQuery } from '#shared/search/sent-query.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import type { CommandContext } from './command-context.ts';
import { describeSummary } from './describe-summary.ts';
import { withKeptCatalog } from './open-catalog.ts';
import { withLibrary } from './open-offline-library.ts';
import { withSavedSearches, type SavedEntry, type SavedSearches } from './open-saved.ts';
import { printItems, type PrintSummary } from './print-items.ts';
import { hasQuestion, readSearchOptions } from './read-search-options.ts';
import { addSearchOptions, type SearchOptions } from './search-options.ts';
import { toSentQuestion } from './to-sent-question.ts';
import { writeCode } from './write-code.ts';

/** `swath search`: items as they come, a summary on standard error. */
export function addSearchCommand(program: Command, context: CommandContext): void {
  addSearchOptions(program.command('search').description('search items; prints one a line')).action(
    async (_options, command: Command) => {
      const options = command.optsWithGlobals<SearchOptions>();
      checkTogether(options);
      const { code, save, saved, summary } = options;
      if (summary !== undefined) {
        checkSummary(options);
        const question = await readSearchOptions(options, toSay(options, context));
        await printSummary(options, context, question);
        return;
      }
      if (code === undefined && save === undefined && saved === undefined) {
        await ask(options, context, {
          question: await readSearchOptions(options, toSay(options, context)),
          look: null,
        });
        return;
      }
      await withSavedSearches(options, context, {
        isReading: save === undefined && !options.newSinceLast,
        work: (searches) => useNotebook(options, context, searches),
      });
    },
  );
}

// A look at a saved search, or what will be one.
interface Look {
  searches: SavedSearches;
  entry: SavedEntry;
}

async function useNotebook(
  options: SearchOptions,
  context: CommandContext,
  searches: SavedSearches,
): Promise<void> {
  const entry = options.saved === undefined ? null : searches.get(options.saved);
  const question = entry?.question ?? (await readSearchOptions(options, toSay(options, context)));
  if (options.code !== undefined) {
    const wanted = { ...question, maxItems: options.maxItems ?? question.maxItems };
    await context.stdout.writeText(writeCode(options.code, wanted, searches));
  } else if (entry) {
    const look = options.newSinceLast ? { searches, entry } : null;
    const { printed, isWhole } = await ask(options, context, { question, look });
    // Only what was printed in full is seen: whatever ends in between prints it again the next time.
    if (look && isWhole) searches.markSeen(entry, printed);
  } else {
    await askAndSave(options, context, { searches, question });
  }
}

async function askAndSave(
  options: SearchOptions,
  context: CommandContext,
  { searches, question }: { searches: SavedSearches; question: SavedQuestion },
): Promise<void> {
  const { save = '' } = options;
  searches.checkFree(save);
  const { printed, isWhole } = await ask(options, context, { question, look: null });
  const saved = searches.save(save, { ...question, maxItems: question.maxItems || null });
  searches.markSeen(saved, isWhole ? printed : []);
}

async function ask(
  options: SearchOptions,
  context: CommandContext,
  { question, look }: { question: SavedQuestion; look: Look | null },
) {
  if (options.offline) return askLibrary(options, context, { question, look });
  let outcome: Awaited<ReturnType<typeof printItems>> | null = null;
  await withKeptCatalog(options, context, async (catalog) => {
    const pages = catalog.search(toSentQuestion(question), options.method ? { method: options.method } : {});
    outcome = await printItems(pages, toPrintOptions(options, context, { question, look }));
  });
  const done = outcome as Awaited<ReturnType<typeof printItems>> | null;
  if (!done) throw new AppError('internal', 'The search ended without an answer');
  report(done.summary, { isJson: options.json === true, context });
  return done;
}

function askLibrary(
  options: SearchOptions,
  context: CommandContext,
  asked: { question: SavedQuestion; look: Look | null },
) {
  return withLibrary(options, context, async (library) => {
    const pages = library.search(toSentQuery(asked.question.query, asked.question.localFilter));
    const done = await printItems(pages, toPrintOptions(options, context, asked));
    const { newestMs, oldestMs, completeAsOfMs, outlinesCompleteAsOfMs } = pages.dates;
    const dates = {
      asOf: toTimestamp(newestMs),
      oldestAsOf: toTimestamp(oldestMs),
      completeAsOf: toTimestamp(completeAsOfMs),
      outlinesCompleteAsOf: toTimestamp(outlinesCompleteAsOfMs),
    };
    const goneCount = library.countGone(done.printed);
    const { partialCount } = done;
    const summary = { ...done.summary, ...dates, goneCount, partialCount };
    report(summary, { isJson: options.json === true, context });
    if (options.json) return done;
    context.say(describeDates(dates));
    if (goneCount > 0) context.say(`the catalog no longer has ${String(goneCount)} of these`);
    if (partialCount > 0)
      context.say(`of ${String(partialCount)} of these only what earlier searches asked for is known`);
    return done;
  });
}

// Counts the library's answer, and prints none of its items.
async function printSummary(
  options: SearchOptions,
  context: CommandContext,
  { query, localFilter }: SavedQuestion,
): Promise<void> {
  if (localFilter) {
    const why = 'items of unknown cloud cover are picked one by one; leave out --include-unknown-cloud';
    throw new AppError('input.invalid', `--summary: ${why}`, { details: { field: 'summary', why } });
  }
  const named = options.summary === true ? '' : (options.summary ?? '');
  const properties = named.split(',').filter((name) => name !== '');
  await withLibrary(options, context, async (library) => {
    const { signal } = context;
    const { completeAsOfMs, ...summary } = await library.summarise(query, { properties, signal });
    const answer = { ...summary, completeAsOf: toTimestamp(completeAsOfMs) };
    await context.stdout.write(`${JSON.stringify(answer)}\n`);
  });
}

function toTimestamp(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}

function describeDates({
  asOf,
  oldestAsOf,
  completeAsOf,
  outlinesCompleteAsOf,
}: Record<'asOf' | 'oldestAsOf' | 'completeAsOf' | 'outlinesCompleteAsOf', string | null>): string {
  const butForBoxes = completeAsOf ? '' : ', but for items whose bounding box alone reaches into the area';
  const whole = outlinesCompleteAsOf
    ? `complete as of ${outlinesCompleteAsOf}${butForBoxes}`
    : 'may be incomplete: only what was seen is there';
  return asOf
    ? `from the library, fetched from ${oldestAsOf ?? asOf} to ${asOf}; ${whole}`
    : `from the library; ${whole}`;
}

function toPrintOptions(
  { format, maxItems }: SearchOptions,
  { stdout, signal }: CommandContext,
  { question, look }: { question: SavedQuestion; look: Look | null },
): Parameters<typeof printItems>[1] {
  return {
    stdout,
    format,
    localFilter: question.localFilter,
    maxItems: question.maxItems,
    maxPrinted: maxItems ?? null,
    findUnseen: look && ((refs) => look.searches.findUnseen(look.entry, refs)),
    signal,
  };
}

// With --json, standard error holds nothing but JSON.
function toSay({ json }: SearchOptions, context: CommandContext): (line: string) => void {
  return json ? () => undefined : context.say;
}

function checkSummary({ offline, code, save, saved }: SearchOptions): void {
  const why = offline ? 'leave out --code, --save and --saved' : 'it is made of what was seen; add --offline';
  if (offline && (code ?? save ?? saved) === undefined) return;
  throw new AppError('input.invalid', `--summary: ${why}`, { details: { field: 'summary', why } });
}

function checkTogether(options: SearchOptions): void {
  const refuse = (field: string, why: string): never => {
    throw new AppError('input.invalid', `--${field}: ${why}`, { details: { field, why } });
  };
  if (options.offline && options.newSinceLast) refuse('offline', 'what is new is known to the catalog alone');
  if (options.newSinceLast && options.saved === undefined) refuse('new-since-last', 'it needs --saved');
  if (options.saved !== undefined && (hasQuestion(options) || options.limit !== undefined)) {
    refuse('saved', 'it asks the question as it was saved; leave out the options that change it');
  }
}

function report(
  summary: PrintSummary,
  { isJson, context }: { isJson: boolean; context: CommandContext },
): void {
  if (isJson) {
    context.say(JSON.stringify(summary));
    return;
  }
  for (const { reason } of summary.skipped) context.say(`skipped: ${reason}`);
  if (summary.isIncomplete) context.say("the catalog's pages came to no end: items may be missing");
  context.say(describeSummary(summary));
}
