import type { Transfer } from '#shared/transfer/transfer.ts';
import { isSettled } from '#shared/transfer/transfer.ts';
import { toPrintable } from './to-printable.ts';

interface ProgressPrinter {
  update(changed: readonly Transfer[]): void;
  /** Takes the updating line away. */
  end(): void;
}

interface PrinterOptions {
  say: (line: string) => void;
  isTerminal: boolean;
}

/** Shows how transfers go: one line written over and over on a terminal, else one line each time a state changes. */
export function createProgressPrinter({ say, isTerminal }: PrinterOptions): ProgressPrinter {
  const transfers = new Map<number, Transfer>();
  const saidStates = new Map<number, string>();
  const overwrite = (text: string): void => void process.stderr.write(`\r\u001b[2K${text}`);

  return {
    update(changed) {
      for (const one of changed) transfers.set(one.transferId, one);
      if (isTerminal) {
        const running = [...transfers.values()].filter(({ state }) => !isSettled(state));
        overwrite(
          toPrintable(running.map(describeProgress).join('  ')).slice(0, (process.stderr.columns || 80) - 1),
        );
        return;
      }
      for (const one of changed) {
        const said = describeState(one);
        if (saidStates.get(one.transferId) === said || isSettled(one.state)) continue;
        saidStates.set(one.transferId, said);
        say(`${one.assetKey}: ${said}`);
      }
    },
    end() {
      if (isTerminal) overwrite('');
    },
  };
}

function describeProgress(transfer: Transfer): string {
  const { assetKey, receivedBytes, totalBytes, bytesPerSecond, state } = transfer;
  if (state !== 'downloading') return `${assetKey}: ${describeState(transfer)}`;
  const share = totalBytes ? ` ${String(Math.floor((receivedBytes / totalBytes) * 100))} %` : '';
  return `${assetKey}${share} ${toMegabytes(receivedBytes)} MB, ${toMegabytes(bytesPerSecond)} MB/s`;
}

function describeState({ state, waiting }: Transfer): string {
  return waiting ? `${state}: ${waiting.error.message}` : state;
}

function toMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
