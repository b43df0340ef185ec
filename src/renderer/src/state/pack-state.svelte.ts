import { toAppError } from '#shared/errors/app-error.ts';
import type { PackChoice, PackOutcome } from '#shared/pack/pack-choice.ts';
import type { FileListing } from './folders.ts';
import type { Session, SwathClient } from './session.svelte.ts';

/** What a choice comes to. */
export type PackPlan = Awaited<ReturnType<SwathClient['pack']['plan']>>;

/** What a pack says of itself. */
export type PackSummary = Awaited<ReturnType<SwathClient['pack']['preview']>>;

/** What is asked for a pack to be written. */
export type ExportWish = Parameters<SwathClient['pack']['export']>[0];

/** How far the writing of a pack is; `path` once it is there. */
export type ExportProgress = Parameters<Parameters<SwathClient['pack']['export']>[1]['onEvent']>[0];

/** How far the taking in of a pack is; `outcome` once it is in. */
export type OpenProgress = Parameters<Parameters<SwathClient['pack']['open']>[1]['onEvent']>[0];

/** Which of its dialogs is open. */
export type PackDialog = { kind: 'export'; searchNumbers: readonly number[] } | { kind: 'open' };

/** Field packs: parts of the library in one file, for another computer. */
export class PackState {
  readonly #session: Session;
  #dialog = $state.raw<PackDialog | null>(null);

  constructor(session: Session) {
    this.#session = session;
  }

  get dialog(): PackDialog | null {
    return this.#dialog;
  }

  show(dialog: PackDialog | null): void {
    this.#dialog = dialog;
  }

  plan(choice: PackChoice, signal: AbortSignal): Promise<PackPlan> {
    return this.#session.client.pack.plan(choice, { signal });
  }

  /** Writes a pack; resolves to its path. Aborting leaves nothing. */
  async export(wish: ExportWish, watch: Watch<ExportProgress>): Promise<string> {
    const { path } = await follow(
      (listener) => this.#session.client.pack.export(wish, listener),
      ({ path: written }) => written !== null,
      watch,
    );
    return path ?? '';
  }

  /** The system's dialog; null when it was dismissed. */
  async chooseFile(): Promise<string | null> {
    return (await this.#session.client.pack.chooseFile({}))?.path ?? null;
  }

  listFiles(path: string | null): Promise<FileListing> {
    return this.#session.client.pack.listFiles({ path });
  }

  preview(path: string): Promise<PackSummary> {
    return this.#session.client.pack.preview({ path });
  }

  /** Checks a pack and takes it in. Aborting while it is checked changes nothing. */
  async open(
    wish: { path: string; destination: string | null },
    watch: Watch<OpenProgress>,
  ): Promise<PackOutcome | null> {
    const { outcome } = await follow(
      (listener) => this.#session.client.pack.open(wish, listener),
      (progress) => progress.outcome !== null,
      watch,
    );
    return outcome;
  }
}

interface Watch<Progress> {
  onProgress: (progress: Progress) => void;
  signal: AbortSignal;
}

/** Follows a stream to the event that ends it. */
function follow<Progress>(
  begin: (listener: { onEvent: (event: Progress) => void; onError: (thrown: unknown) => void }) => () => void,
  isLast: (progress: Progress) => boolean,
  { onProgress, signal }: Watch<Progress>,
): Promise<Progress> {
  return new Promise((resolve, reject) => {
    const stop = begin({
      onEvent: (progress) => {
        onProgress(progress);
        if (isLast(progress)) resolve(progress);
      },
      onError: (thrown) => reject(toAppError(thrown)),
    });
    signal.addEventListener('abort', () => {
      stop();
      reject(toAppError(signal.reason));
    });
  });
}
