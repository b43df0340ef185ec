import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { FileFinding } from '#shared/transfer/file-finding.ts';
import type { checkDownloadFolder } from '../backend/commands.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { exitCodes } from './exit-code.ts';
import { tellQueue, type CheckedFile, type Told } from './queue/tell-queue.ts';
import { sayBytes, sayCount } from './queue/words.ts';

const help = `
Every file of a folder that downloads went to is read again and compared with the receipt.json beside it: its size, and
the SHA-256 of what came. Neither the catalog nor a network is needed. Ends with 1 when a file is missing, changed or
can't be read, when a receipt is damaged or gone, when a whole folder is gone to which the static catalog leads, and when
nothing is known of any file;
files that nothing tells of are named, and are no fault. The download queue of the data folder is told what was found of
its files: swath queue report then says so, and swath queue retry brings missing and changed ones home. Files that it has
brought into that folder, and that no receipt tells of, are compared with what it knows of them.
`;

const intervalMs = 5000;

type Check = Awaited<ReturnType<typeof checkDownloadFolder>>;
const noCounts = {
  ok: 0,
  changed: 0,
  missing: 0,
  unreadable: 0,
  'no-receipt': 0,
  'folder-gone': 0,
  unknown: 0,
  unfinished: 0,
};

type Finding = ReturnType<Check['findings']> extends AsyncGenerator<infer One> ? One : never;

/** `swath verify`: re-reads every file of a download folder against its receipts. */
export function addVerifyCommand(program: Command, context: CommandContext): void {
  program
    .command('verify')
    .description('read the files of a download folder again and compare them with their receipts')
    .argument('<folder>', 'a folder that downloads went to, or one below it')
    .addHelpText('after', help)
    .action(async function (this: Command, folder: string) {
      const options = this.optsWithGlobals<GlobalOptions>();
      const isJson = options.json === true;
      const { checkDownloadFolder } = await import('../backend/commands.ts');
      const root = resolve(folder);
      const check = await checkDownloadFolder(root);
      if (!isJson)
        context.say(
          `${sayCount(check.fileCount, 'file')} to read by their receipts, ${sayBytes(check.totalBytes)}`,
        );
      const counts = { ...noCounts };
      const files: Finding[] = [];
      const found: FileFinding[] = [];
      const named = new Set<string>();
      // The queue may know more of these.
      const vague: Finding[] = [];
      const tell = async (finding: Finding): Promise<void> => {
        counts[finding.result] += 1;
        if (isJson) files.push(finding);
        else await context.stdout.writeLine(finding.result, finding.path, finding.error?.message ?? '');
      };
      let readBytes = 0;
      let toldAtMs = performance.now();
      for await (const finding of check.findings(context.signal)) {
        if (isVague(finding)) vague.push(finding);
        else await tell(finding);
        readBytes += finding.sizeBytes ?? 0;
        found.push(...toTold(root, finding));
        if (finding.verification !== null) named.add(finding.path);
        if (isJson || performance.now() - toldAtMs < intervalMs) continue;
        toldAtMs = performance.now();
        context.say(`${sayBytes(readBytes)} of ${sayBytes(check.totalBytes)} read`);
      }
      const { unnamed, ...told } = await tellQueue({ root, findings: found, named }, options, context);
      for (const finding of withoutReceipt(unnamed, vague)) await tell(finding);
      if (isJson) await context.stdout.writeJson({ folder: root, counts, files, queue: told });
      else for (const line of [describe(counts), ...describeNextStep(counts, told)]) context.say(line);
      if (!isSound(counts)) context.endWith(exitCodes.failed);
    });
}

function isVague({ result }: Finding): boolean {
  return result === 'unknown' || result === 'folder-gone';
}

// Where nothing is known, as where a drive is not mounted, it can't be said that all is well.
function isSound({ ok, ...counts }: typeof noCounts): boolean {
  return ok > 0 && countFaults(counts) === 0;
}

function countFaults(counts: Omit<typeof noCounts, 'ok'>): number {
  return counts.changed + counts.missing + counts.unreadable + counts['no-receipt'] + counts['folder-gone'];
}

function withoutReceipt(unnamed: readonly CheckedFile[], vague: readonly Finding[]): Finding[] {
  // A file by its name, a folder by the names of the files that were in it.
  const known = new Set(unnamed.flatMap(({ path }) => [path, ...foldersOf(path)]));
  return [...unnamed.map(toFinding), ...vague.filter(({ path }) => !known.has(path))];
}

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === path || folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

function toFinding({ path, result, transfer: { totalBytes, verification } }: CheckedFile): Finding {
  return { path, result, sizeBytes: totalBytes, verification, error: null };
}

// What can't be read now may be whole.
function toTold(root: string, { path, result }: Finding): FileFinding[] {
  const isKnown = result === 'ok' || result === 'changed' || result === 'missing';
  return isKnown ? [{ path: join(root, path), result }] : [];
}

// What is wrong is never taken away: the person may want to look at it.
function describeNextStep(
  { ok, changed, missing, unreadable, ...counts }: typeof noCounts,
  { spoiltCount, error }: Pick<Told, 'spoiltCount' | 'error'>,
): string[] {
  const lines: string[] = [];
  if (ok === 0 && countFaults({ changed, missing, unreadable, ...counts }) === 0)
    lines.push('nothing is known of any file here: is it the right folder, and is its drive there?');
  if (error !== null) {
    lines.push(`the queue could not be told: ${error.message}`);
    if (changed + missing > 0) lines.push('verify again when it can, to have files again from it');
  }
  const otherCount = error === null ? changed + missing - spoiltCount : 0;
  if (spoiltCount > 0) {
    const where = changed > 0 ? ', under other names where a changed file is in the way' : '';
    lines.push(
      `to have ${sayCount(spoiltCount, 'file')} again: swath queue retry, then swath queue run${where}`,
    );
  }
  if (otherCount > 0) {
    const which = `${sayCount(otherCount, 'file')} that the queue of this data folder did not bring`;
    lines.push(`to have ${which} again: move changed files away, then swath queue add or swath download`);
  }
  if (unreadable > 0) lines.push("for what can't be read: check the disk, then verify again");
  if (counts['folder-gone'] > 0) {
    lines.push('what was in a folder that is gone, only the queue knows that brought it, and the catalog');
  }
  if (counts['no-receipt'] > 0) {
    lines.push('without its receipt, a file is compared with what the queue knows of it, or not at all');
  }
  return lines;
}

function describe(counts: Record<string, number>): string {
  const told = Object.entries(counts).filter(([result, count]) => count > 0 || result === 'ok');
  return told.map(([result, count]) => `${count} ${result}`).join(', ');
}
