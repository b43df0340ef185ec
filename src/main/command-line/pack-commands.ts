import type { Command } from 'commander';
import { AppError } from '#shared/errors/app-error.ts';
import { basename, dirname, extname, resolve } from 'node:path';
import type { exportCommandPack } from '../backend/commands.ts';
import { systemClock } from '../backend/ports.ts';
import { appVersion } from '../host/app-version.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { findLibrary } from './find-library.ts';
import { makeDestination } from './make-destination.ts';

type PackLibrary = Parameters<typeof exportCommandPack>[1];

interface ExportOptions extends GlobalOptions {
  saved?: string[];
  thumbnails: boolean;
  files: boolean;
  basemap?: string;
}

/** `swath pack export`, `show` and `open`: a part of the library in one file, for another computer. */
export function addPackCommands(program: Command, context: CommandContext): void {
  const pack = program
    .command('pack')
    .description(
      'field packs: searches, items, pictures and downloaded files of the library in one file, for another computer. The catalog is the one last in use in the window unless --connection or --base-url names another',
    );

  pack
    .command('export')
    .description(
      'write a field pack of all that was asked, each question as it was last answered; prints {"path"}',
    )
    .argument('<file>', 'where to; .swathpack is added where it is missing')
    .option(
      '--saved <name>',
      'only what this saved search brought last; may be given more than once',
      (name: string, others: string[] | undefined) => [...(others ?? []), name],
    )
    .option('--no-thumbnails', 'leave the pictures out')
    .option('--no-files', 'leave the downloaded files out')
    .option(
      '--basemap <name>',
      'put the area of the items along, out of this basemap from a file, as close as fits into 256 MB',
    )
    .action(function (this: Command, file: string) {
      const options = this.optsWithGlobals<ExportOptions>();
      const path = resolve(file);
      const name = extname(path) === '.swathpack' ? basename(path, '.swathpack') : basename(path);
      return withLibrary(options, context, async (library) => {
        const { exportCommandPack } = await import('../backend/commands.ts');
        const wish = {
          saved: options.saved ?? null,
          folder: dirname(path),
          name,
          withThumbnails: options.thumbnails,
          withFiles: options.files,
          basemap: options.basemap ?? null,
        };
        await context.stdout.writeJson(await exportCommandPack(wish, library));
      });
    });

  pack
    .command('show')
    .description('print what a field pack says of itself, as JSON')
    .argument('<file>', 'the field pack')
    .action(async (file: string) => {
      const { readFieldPack } = await import('../backend/commands.ts');
      await context.stdout.writeJson(await readFieldPack(resolve(file)));
    });

  pack
    .command('open')
    .description('check a field pack down to its last byte and take it in; prints what came of it as JSON')
    .argument('<file>', 'the field pack')
    .option(
      '--to <folder>',
      'folder for its downloaded files, made if it is missing; without it they stay in the pack',
    )
    .action(function (this: Command, file: string) {
      const options = this.optsWithGlobals<GlobalOptions & { to?: string }>();
      return withLibrary(options, context, async (library) => {
        const { openCommandPack, readFieldPack } = await import('../backend/commands.ts');
        const { catalogName, catalogUrl } = await readFieldPack(resolve(file));
        if (catalogUrl !== library.catalog.baseUrl) {
          const from = catalogUrl === null ? catalogName : `${catalogName} (${catalogUrl})`;
          warnOfOther(from, { name: library.catalog.name, isNamed: isNamed(options) }, context);
        }
        const destination = options.to === undefined ? null : makeDestination(options.to);
        await context.stdout.writeJson(await openCommandPack({ path: resolve(file), destination }, library));
      });
    });
}

function isNamed({ connection, baseUrl }: GlobalOptions): boolean {
  return connection !== undefined || baseUrl !== undefined;
}

// Items of two catalogs in one library can't be told apart any more.
function warnOfOther(
  from: string,
  { name, isNamed }: { name: string; isNamed: boolean },
  context: CommandContext,
): void {
  const what = `The pack was made from ${from}, and goes into the library of ${name}`;
  if (!isNamed) {
    throw new AppError('input.invalid', `${what}: name the catalog that it is for.`, {
      details: {
        field: 'base-url',
        mend: 'Say with --base-url or --connection which catalog it belongs to.',
      },
    });
  }
  context.say(what);
}

async function withLibrary(
  options: GlobalOptions,
  context: CommandContext,
  work: (library: PackLibrary) => Promise<void>,
): Promise<void> {
  let shownPercent = 0;
  await work({
    ...(await findLibrary(options, context)),
    appVersion,
    clock: systemClock,
    onProgress: (doneBytes, totalBytes) => {
      const percent = totalBytes === 0 ? 0 : Math.min(100, Math.floor((doneBytes / totalBytes) * 10) * 10);
      if (options.json || percent <= shownPercent) return;
      shownPercent = percent;
      context.say(`${String(percent)} %`);
    },
    signal: context.signal,
  });
}
