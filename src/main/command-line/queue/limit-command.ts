import { InvalidArgumentError, Option, type Command } from 'commander';
import { readSettings, type Settings } from '#shared/settings/settings.ts';
import type { TransferLimits } from '#shared/settings/transfer-limits.ts';
import { createConfStore } from '../../host/conf-store.ts';
import { parseWholeNumber } from '../../host/parse-option.ts';
import { findUserFolders } from '../../host/user-folders.ts';
import type { CommandContext, GlobalOptions } from '../command-context.ts';
import { withQueue, type OpenedQueue } from './open-queue.ts';
import { parseWeek, writeWeek } from './read-week.ts';
import { sayBytes } from './words.ts';

/** Bytes a second; null for no limit. */
type Rate = number | null;

type SetLimits = Pick<Settings, 'maxConcurrentTransfers' | 'transferLimits'>;

interface Limits {
  bandwidth?: { rate: Rate };
  atOnce?: number;
  perHost?: number;
  perFile?: number;
  hours?: { hours: boolean[] | null };
  outside?: { rate: Rate };
  metered?: 'go' | 'stop';
  battery?: 'go' | 'stop';
}

const help = `
Without options it prints what holds. Rates are such as 500kB, 5MB or none; hours such as "mon-fri 20-6, sat-sun" or
all. The window has the same settings, and what is set here holds at once for what runs.
`;

/** `swath queue limit`: how much transfers may have of the network and the computer; reads and sets. */
export function addLimitCommand(queue: Command, context: CommandContext): void {
  const count = (max: number) => (text: string) => parseWholeNumber(text, { min: 1, max });
  const stopOrGo = (flag: string, text: string) => new Option(flag, text).choices(['stop', 'go']);
  queue
    .command('limit')
    .description('print or set the limits of bandwidth, transfers at once, connections and hours')
    .option('--bandwidth <rate>', 'a second, of all transfers together', parseRate)
    .option('--at-once <number>', 'transfers at once', count(16))
    .option('--per-host <number>', 'connections to one host', count(32))
    .option('--per-file <number>', 'connections for one file, where more than one help', count(8))
    .option('--hours <hours>', 'hours of the week in which transfers run freely', parseHours)
    .option('--outside <rate>', 'bandwidth in the other hours; stop: nothing runs then', parseOutside)
    .addOption(stopOrGo('--metered <what>', 'on a connection that is paid for by volume'))
    .addOption(stopOrGo('--battery <what>', 'while the computer runs on battery'))
    .addHelpText('after', help)
    .action(async function (this: Command, given: Limits) {
      const options = this.optsWithGlobals<GlobalOptions>();
      if (Object.keys(given).length > 0) {
        // Whoever has the queue has the settings in memory, too, and would write over what is set beside it.
        const work = async ({ limits }: OpenedQueue): Promise<void> => {
          await limits.change(applyLimits(await limits.read({}), given));
        };
        await withQueue(options, context, { work });
      }
      const store = createConfStore(findUserFolders(options).dataDir);
      const { maxConcurrentTransfers, transferLimits } = readSettings(store.read());
      if (options.json) await context.stdout.writeJson({ maxConcurrentTransfers, ...transferLimits });
      else await context.stdout.write(describeLimits(maxConcurrentTransfers, transferLimits));
    });
}

function applyLimits({ maxConcurrentTransfers, transferLimits }: SetLimits, given: Limits): SetLimits {
  const { schedule } = transferLimits;
  const hours = given.hours?.hours;
  return {
    maxConcurrentTransfers: given.atOnce ?? maxConcurrentTransfers,
    transferLimits: {
      ...transferLimits,
      connectionsPerHost: given.perHost ?? transferLimits.connectionsPerHost,
      connectionsPerFile: given.perFile ?? transferLimits.connectionsPerFile,
      bytesPerSecond: given.bandwidth ? given.bandwidth.rate : transferLimits.bytesPerSecond,
      isPausedOnMetered: given.metered ? given.metered === 'stop' : transferLimits.isPausedOnMetered,
      isPausedOnBattery: given.battery ? given.battery === 'stop' : transferLimits.isPausedOnBattery,
      schedule: {
        isOn: given.hours ? hours !== null : schedule.isOn,
        hours: hours ?? schedule.hours,
        outsideBytesPerSecond: given.outside ? given.outside.rate : schedule.outsideBytesPerSecond,
      },
    },
  };
}

function describeLimits(atOnce: number, limits: TransferLimits): string {
  const { schedule } = limits;
  const rate = (bytes: Rate, none: string) => (bytes === null ? none : `${sayBytes(bytes)}/s`);
  const outside = rate(schedule.outsideBytesPerSecond, 'nothing runs');
  return [
    `bandwidth: ${rate(limits.bytesPerSecond, 'no limit')}`,
    `at once: ${atOnce} transfers`,
    `per host: ${limits.connectionsPerHost} connections`,
    `per file: at most ${limits.connectionsPerFile} connections`,
    `hours: ${schedule.isOn ? `${writeWeek(schedule.hours)}; else ${outside}` : 'all'}`,
    `metered connection: ${limits.isPausedOnMetered ? 'stop' : 'go'}`,
    `battery: ${limits.isPausedOnBattery ? 'stop' : 'go'}`,
    '',
  ].join('\n');
}

const factors: Readonly<Record<string, number>> = {
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
};

function parseRate(text: string): { rate: Rate } {
  if (text === 'none') return { rate: null };
  const [, number = '', prefix = ''] = /^(\d+(?:\.\d+)?) ?([kMG]|[KMG]i)?B?(?:\/s)?$/.exec(text) ?? [];
  const factor = factors[prefix] ?? 1;
  const rate = Math.round(Number(number) * factor);
  if (number !== '' && rate >= 1024 && rate <= 1e12) return { rate };
  throw new InvalidArgumentError(
    'A rate is needed, of at least 1024 bytes a second: 500kB, 5MB, 5MiB or none.',
  );
}

function parseOutside(text: string): { rate: Rate } {
  return text === 'stop' ? { rate: null } : parseRate(text);
}

function parseHours(text: string): { hours: boolean[] | null } {
  return { hours: text === 'all' ? null : parseWeek(text) };
}
