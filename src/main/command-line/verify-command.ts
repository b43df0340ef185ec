import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { exitCodes } from './exit-code.ts';
import { sayBytes, sayCount } from './queue/words.ts';

const help = `
Every file of a folder that downloads went to is read again and compared with the receipt.json beside it: its size, and
the SHA-256 of what came. Neither the catalog nor a network is needed. Ends with 1 when a file is missing, changed or
can't be read; files that no receipt tells of are named, and are no fault.
`;

const intervalMs = 5000;

/** `swath verify`: re-reads every file of a download folder against its receipts. */
export function addVerifyCommand(program: Command, context: CommandContext): void {
  program
    .command('verify')
    .description('read the files of a download folder again and compare them with their receipts')
    .argument('<folder>', 'a folder that downloads went to, or one below it')
    .addHelpText('after', help)
    .action(async function (this: Command, folder: string) {
      const isJson = this.optsWithGlobals<GlobalOptions>().json === true;
      const { checkDownloadFolder } = await import('../backend/commands.ts');
      const root = resolve(folder);
      const check = await checkDownloadFolder(root);
      if (!isJson) context.say(`${sayCount(check.fileCount, 'file')} to read, ${sayBytes(check.totalBytes)}`);
      const counts = { ok: 0, changed: 0, missing: 0, unreadable: 0, unknown: 0, unfinished: 0 };
      const files = [];
      let readBytes = 0;
      let toldAtMs = performance.now();
      for await (const finding of check.findings(context.signal)) {
        const { path, result, sizeBytes, error } = finding;
        counts[result] += 1;
        readBytes += sizeBytes ?? 0;
        if (isJson) files.push(finding);
        else
          await context.stdout.write(
            `${result}\t${path.replace(/[\t\r\n]/g, ' ')}\t${error?.message ?? ''}\n`,
          );
        if (isJson || performance.now() - toldAtMs < intervalMs) continue;
        toldAtMs = performance.now();
        context.say(`${sayBytes(readBytes)} of ${sayBytes(check.totalBytes)} read`);
      }
      if (isJson) await context.stdout.writeJson({ folder: root, counts, files });
      else context.say(describe(counts));
      if (counts.changed + counts.missing + counts.unreadable > 0) context.endWith(exitCodes.failed);
    });
}

function describe(counts: Record<string, number>): string {
  const told = Object.entries(counts).filter(([result, count]) => count > 0 || result === 'ok');
  return told.map(([result, count]) => `${count} ${result}`).join(', ');
}
