import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { ExportFormat } from '#shared/exchange/export-format.ts';
import { maxPieceLength, type ExportSource } from '#shared/rpc/contract/exchange.ts';
import { encodeFile, modifiedAtOf } from './encode-file.ts';
import type { Session, SwathClient } from './session.svelte.ts';

type ExchangeClient = SwathClient['exchange'];
type ExportEvent = Parameters<Parameters<ExchangeClient['export']>[1]['onEvent']>[0];
type ImportEvent = Parameters<Parameters<ExchangeClient['import']>[1]['onEvent']>[0];

/** What was written, and what came of a file. */
export type ExportedFile = NonNullable<ExportEvent['file']>;
/** What came of a file. */
export type ImportedFile = NonNullable<ImportEvent['file']>;
/** What files of some items would be. */
export type ExportEstimate = Awaited<ReturnType<ExchangeClient['estimate']>>;

/** Items that a person can choose to write. */
export interface ExportChoice {
  /** `12 shown items` */
  label: string;
  source: ExportSource;
  /** What the file is called at first. */
  fileName: string;
  /** When the catalog gave them, RFC 3339; null when that isn't one moment. */
  asOf: string | null;
}

/** All that a person says of a file to be written. */
export interface ExportWish {
  choice: ExportChoice;
  fileName: string;
  format: ExportFormat;
  properties: string[] | null;
  hasByteOrderMark: boolean;
  destination: string;
  canReplace: boolean;
}

/** A file on its way in. */
export interface ImportRun {
  fileName: string;
  /** From 0 to 1 while it is handed over, then null. */
  handedOver: number | null;
  checkedCount: number;
  keptCount: number;
  error: AppError | null;
}

/** Bytes of a file handed over at once: as Base64 they take a third more. */
const pieceBytes = Math.floor(maxPieceLength / 4) * 3 - 3;

/** Items on their way out into files, and in from files. */
export class ExchangeState {
  readonly #session: Session;
  #choices = $state.raw<readonly ExportChoice[] | null>(null);
  #progress = $state.raw<Omit<ExportEvent, 'file'> | null>(null);
  #importing = $state.raw<ImportRun | null>(null);
  #stopExport: (() => void) | null = null;
  #stopImport: (() => void) | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  /** What the dialog offers to write; null while it is closed. */
  get choices(): readonly ExportChoice[] | null {
    return this.#choices;
  }

  /** How far the file is that is being written; null while none is. */
  get progress(): Omit<ExportEvent, 'file'> | null {
    return this.#progress;
  }

  /** The file that is being read, or could not be; null while there is none. */
  get importing(): ImportRun | null {
    return this.#importing;
  }

  /** Opens the dialog. */
  ask(choices: readonly ExportChoice[]): void {
    if (choices.length > 0) this.#choices = choices;
  }

  closeExport(): void {
    this.#stopExport?.();
    this.#choices = null;
  }

  estimate(source: ExportSource, signal: AbortSignal): Promise<ExportEstimate> {
    return this.#session.client.exchange.estimate({ source }, { signal });
  }

  /** Writes a file; null when it was stopped. @throws AppError as `exchange.export` */
  write(wish: ExportWish): Promise<ExportedFile | null> {
    const { choice, fileName, format, properties, hasByteOrderMark, destination, canReplace } = wish;
    this.#progress = { gatheredCount: 0, writtenCount: 0 };
    return new Promise<ExportedFile | null>((resolve, reject) => {
      const options = { format, properties, hasByteOrderMark };
      const { source, asOf } = choice;
      const stop = this.#session.client.exchange.export(
        { source, options, destination, fileName, canReplace, asOf },
        {
          onEvent: ({ file, ...progress }) => {
            this.#progress = progress;
            if (file) resolve(file);
          },
          onError: (thrown) => reject(toAppError(thrown)),
        },
      );
      this.#stopExport = () => {
        stop();
        resolve(null);
      };
    }).finally(() => {
      this.#stopExport?.();
      this.#stopExport = null;
      this.#progress = null;
    });
  }

  /** Gives up the file that is being written; nothing is left of it. */
  stopWriting(): void {
    this.#stopExport?.();
  }

  /** Shows a written file in the system's file manager. */
  async showFile({ exportId }: ExportedFile): Promise<void> {
    await this.#session.client.exchange.showFile({ exportId });
  }

  /** Hands a file over and has its items kept; null when it was given up or refused, which `importing` then tells. */
  async take(file: File): Promise<ImportedFile | null> {
    this.closeImport();
    const abort = new AbortController();
    this.#stopImport = () => abort.abort();
    const run = { fileName: file.name, handedOver: 0, checkedCount: 0, keptCount: 0, error: null };
    this.#importing = run;
    try {
      const importId = await this.#handOver(file, abort.signal);
      const imported = await this.#read(importId, abort.signal);
      if (!abort.signal.aborted) this.#importing = null;
      return imported;
    } catch (thrown) {
      if (!abort.signal.aborted) this.#importing = { ...run, error: toAppError(thrown) };
      return null;
    }
  }

  /** Gives up the file that is being read, or takes note that it could not be. */
  closeImport(): void {
    this.#stopImport?.();
    this.#stopImport = null;
    this.#importing = null;
  }

  async #handOver(file: File, signal: AbortSignal): Promise<string> {
    const { exchange } = this.#session.client;
    const { importId } = await exchange.beginImport(
      {
        name: file.name,
        sizeBytes: file.size,
        modifiedAt: modifiedAtOf(file),
      },
      { signal },
    );
    for (let start = 0; start < file.size; start += pieceBytes) {
      const content = await encodeFile(file.slice(start, start + pieceBytes));
      await exchange.addToImport({ importId, content }, { signal });
      this.#note({ handedOver: Math.min(1, (start + pieceBytes) / file.size) }, signal);
    }
    return importId;
  }

  #read(importId: string, signal: AbortSignal): Promise<ImportedFile | null> {
    this.#note({ handedOver: null }, signal);
    return new Promise<ImportedFile | null>((resolve, reject) => {
      const stop = this.#session.client.exchange.import(
        { importId },
        {
          onEvent: ({ file, checkedCount, keptCount }) => {
            this.#note({ checkedCount, keptCount }, signal);
            if (file) resolve(file);
          },
          onError: reject,
        },
      );
      const end = (): void => {
        stop();
        resolve(null);
      };
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    });
  }

  #note(change: Partial<ImportRun>, signal: AbortSignal): void {
    if (this.#importing && !signal.aborted) this.#importing = { ...this.#importing, ...change };
  }
}
