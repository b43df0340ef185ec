import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { addAddCommand } from './add-command.ts';
import { addChangeCommands } from './change-commands.ts';
import { addExportCommand } from './export-command.ts';
import { addHistoryCommand } from './history-command.ts';
import { addLimitCommand } from './limit-command.ts';
import { addListCommand } from './list-command.ts';
import { addReportCommand } from './report-command.ts';
import { addRunCommand } from './run-command.ts';

const help = `
The queue is the one that the window shows, in the data folder. One program has it at a time, so that two never write
to one file: while the window is open, or swath queue run is at work, that one carries these commands out.
swath download has a queue of its own for each item and folder, and works beside an open window.
`;

/** `swath queue …`: the download queue of the data folder. */
export function addQueueCommands(program: Command, context: CommandContext): void {
  const queue = program
    .command('queue')
    .description('the download queue: add, list, run, pause, resume, retry, cancel, limit, report, export')
    .addHelpText('after', help);
  addAddCommand(queue, context);
  addListCommand(queue, context);
  addRunCommand(queue, context);
  addChangeCommands(queue, context);
  addLimitCommand(queue, context);
  addReportCommand(queue, context);
  addHistoryCommand(queue, context);
  addExportCommand(queue, context);
}
