import type { Command } from 'commander';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { AppError } from '#shared/errors/app-error.ts';
import { defaultSharingSettings } from '#shared/settings/sharing-settings.ts';
import { systemClock } from '../backend/ports.ts';
import { parsePort } from '../host/parse-option.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { findLibrary } from './find-library.ts';
import { waitForAbort } from './wait-for-abort.ts';

interface Options extends Omit<GlobalOptions, 'token'> {
  port: number;
  host: string;
  tokenFile?: string;
}

const loopback = '127.0.0.1';

/** `swath serve`: the library of a catalog as a STAC API for other programs, until ended. */
export function addServeCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description(
      'serve what was seen of a catalog, and the files that were downloaded, as a STAC API for other programs until ended; works with no network; prints {"baseUrl","token"}, or {"baseUrl","tokenFile"}. The catalog is the one last in use in the window unless --connection or --base-url names another',
    )
    .option('--port <number>', 'port; 0 means any free one', parsePort, defaultSharingSettings.port)
    .option(
      '--host <address>',
      'address to listen on. Any but 127.0.0.1 lets other computers in: whoever has the token reads the library and the files, and over http anyone on the way can read along. 0.0.0.0 means all addresses',
      loopback,
    )
    .option(
      '--token-file <file>',
      'file with the token; made with a new one if it is missing. Without it each run has another token',
    )
    .option(
      '--no-token',
      'ask for no token; on this computer only, where every user and program then reads it',
    )
    .action(async (_options, command: Command) => {
      // The library is read where it lies: no token of the catalog is needed.
      const { token: _, ...options } = command.optsWithGlobals<Options & { token?: unknown }>();
      const isOpen = !command.opts<{ token: boolean }>().token;
      // Loaded only now: wrong usage is told at once, before the whole program is read.
      const backend = await import('../backend/commands.ts');
      if (isOpen && options.tokenFile !== undefined)
        throw invalid('no-token', 'it and --token-file say two things');
      const found = await findLibrary(options, context);
      const token = isOpen ? null : readToken(options.tokenFile, backend.makeSharingToken);
      const served = await backend.serveLibrary({
        ...found,
        host: options.host,
        port: options.port,
        token,
        clock: systemClock,
      });
      try {
        if (!/^(127\.|localhost$|::1$)/.test(options.host) && !options.json)
          context.say(
            `other computers reach ${served.baseUrl}: whoever has the token reads the library and the files`,
          );
        const { tokenFile } = options;
        // Where there is a file with it, it need not go into whatever catches the output.
        const way = tokenFile === undefined ? { token } : { tokenFile };
        await context.stdout.write(`${JSON.stringify({ baseUrl: served.baseUrl, ...way })}\n`);
        await waitForAbort(context.signal);
      } finally {
        await served.close();
      }
    });
}

function readToken(file: string | undefined, makeToken: () => string): string {
  if (file === undefined) return makeToken();
  if (!existsSync(file)) {
    const token = makeToken();
    try {
      writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
      chmodSync(file, 0o600);
    } catch {
      throw invalid('token-file', 'it can’t be written');
    }
    return token;
  }
  const token = readFileSync(file, 'utf8').trim();
  if (/^[\x21-\x7e]{16,}$/.test(token)) return token;
  throw invalid('token-file', 'a token of 16 letters, digits and signs or more is needed, on one line');
}

function invalid(field: string, why: string): AppError {
  return new AppError('input.invalid', `--${field}: ${why}`, { details: { field, why } });
}
