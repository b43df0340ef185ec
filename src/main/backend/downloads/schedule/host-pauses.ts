import { AppError } from '#shared/errors/app-error.ts';
import type { Clock } from '../../ports.ts';
import type { Hold } from '../limits/allowance.ts';
import type { Hosts } from '../limits/hosts.ts';
import type { FileSource } from '../queue/runnable-store.ts';

/** What is over before it is read is not worth saying. */
const shortPauseMs = 5000;

/** The pauses that servers have asked for, or make without a word, as they are met when slots are filled. */
export interface HostPauses {
  /** Set where nothing runs though it may: every server that is wanted has asked for a pause. */
  readonly hold: Hold | null;
  /** Until the first server that is waited for can take more, in milliseconds; null where none was met. */
  readonly leftMs: number | null;
  /** Forgets the pauses that were met. */
  begin(): void;
  /** Whether the server that files come from, or each that they may come from, can take no more now. */
  isBusy(source: FileSource): boolean;
  /** Tells whether anything runs, once slots are filled. */
  end(isIdle: boolean): void;
}

/** `onHold` is told when `hold` comes or goes. */
export function createHostPauses({
  hosts,
  clock,
  isSilent,
  onHold,
}: {
  hosts: Hosts;
  clock: Clock;
  isSilent: (origin: string) => boolean;
  onHold: () => void;
}): HostPauses {
  let leftMs: number | null = null;
  /** The server whose pause ends first. */
  let first: string | null = null;
  let hold: Hold | null = null;

  function isFree(origin: string): boolean {
    return hosts.pauseLeftMs(origin) === 0 && hosts.hasRoom(origin);
  }

  return {
    get hold() {
      return hold;
    },
    get leftMs() {
      return leftMs;
    },
    begin() {
      leftMs = null;
    },
    isBusy({ origin, collection }) {
      // Files of which nobody knows where they come from may well be elsewhere: they are asked for their links.
      if (origin !== null && isSilent(origin)) return true;
      const known = collection === null ? [] : hosts.expected(collection);
      // Where one of several is free, only the catalog can tell whether that is a file's: it is asked for its link.
      const origins = origin === null ? known : [origin];
      if (origins.length === 0 || origins.some((one) => isFree(one))) return false;
      for (const one of origins) {
        const pauseMs = hosts.pauseLeftMs(one);
        if (pauseMs > 0 && pauseMs < (leftMs ?? Infinity)) [leftMs, first] = [pauseMs, one];
      }
      return true;
    },
    end(isIdle) {
      const before = hold;
      const isWorthSaying = isIdle && leftMs !== null && leftMs >= shortPauseMs;
      hold = isWorthSaying ? toHold(first, clock.now() + (leftMs ?? 0)) : null;
      if ((hold === null) !== (before === null)) onHold();
    },
  };
}

function toHold(origin: string | null, resumeAtMs: number): Hold {
  const details = origin === null ? {} : { host: new URL(origin).host };
  const error = new AppError('http.too-many-requests', 'The server has asked for a pause', { details });
  return { error, resumeAtMs };
}
