import { AppError } from '#shared/errors/app-error.ts';
import type { TransferLimits } from '#shared/settings/transfer-limits.ts';
import { switchedOffError } from '../../http/network/network.ts';
import type { Clock, SystemPort, SystemState } from '../../ports.ts';
import type { Timers } from '../tasks/timers.ts';
import { decideAllowance, type Hold } from './allowance.ts';
import { createNetworkWatch } from './network-watch.ts';
import type { Throttle } from './throttle.ts';
import { createTimeWatch } from './time-watch.ts';

const lookMs = 30_000;
// Clocks are put right, and a timer that was set before sleep says little after it.
const longestWaitMs = 60_000;
// A computer that was about to sleep and is awake after so long didn't, or nobody said that it woke.
const longestSuspendMs = 60_000;

/** Whether anything may run: by a person's limits, the network and the computer's sleep. */
export interface Gate {
  /** Why nothing may run now; null when something may. */
  readonly hold: Hold | null;
  setLimits(limits: TransferLimits): void;
  /** Whether a person works offline. */
  setOffline(isOffline: boolean): void;
  /** Told how much runs, and whether there is anything that would. */
  noteWork(work: { runningCount: number; hasMore: boolean }): void;
  /** A server of this catalog can't be reached. Resolves to whether there is a network all the same. */
  suspectNetwork(connectionId: string): Promise<boolean>;
  /** A person wants to go on: looks at once whether there is a network. */
  hurry(): void;
  close(): void;
}

/** What the gate looks through, and who hears of it. */
export interface GateOptions {
  limits: TransferLimits;
  isOffline: boolean;
  clock: Clock;
  timers: Timers;
  system: SystemPort;
  throttle: Throttle;
  /** Whether a catalog's own server can be reached. */
  probe: (connectionId: string) => Promise<boolean>;
  /** The catalogs that files are still to come from. */
  connections: () => readonly string[];
  /** Called when the hold is another one. */
  onChange: () => void;
  /** Called when every connection is dead or may be: after sleep. */
  onWake: () => void;
}

/** Opens the gate. What the system tells is not known before it was asked; until then it counts as nothing. */
export function createGate(options: GateOptions): Gate {
  const { clock, timers, system, throttle } = options;
  let { limits, isOffline } = options;
  let state: SystemState = { isOnBattery: null, isMetered: null };
  let hold: Hold | null = null;
  let isSuspended = false;
  let isAwakeKept = false;
  let work = { runningCount: 0, hasMore: false };
  let isOpen = false;
  let isClosed = false;
  let cancelLook: (() => void) | null = null;
  let cancelChange: (() => void) | null = null;
  let cancelSuspend: (() => void) | null = null;
  const network = createNetworkWatch({
    probe: options.probe,
    connections: options.connections,
    timers,
    onChange: decide,
  });
  const time = createTimeWatch({ clock, timers, onGap: wakeUp });
  const stopEvents = system.onEvent((event) => {
    if (event === 'suspend') fallAsleep();
    else if (event === 'resume') wakeUp();
    else if (event === 'network') network.hurry();
    if (event !== 'suspend') void look();
  });

  function decide(): void {
    if (isClosed) return;
    const nowMs = clock.now();
    const allowance = decideAllowance(limits, { nowMs, system: state });
    throttle.setRate(allowance.bytesPerSecond);
    const next = allowance.hold ?? findHold(nowMs);
    cancelChange?.();
    cancelChange =
      allowance.changesAtMs === null
        ? null
        : timers.after(Math.min(Math.max(allowance.changesAtMs - nowMs, 0), longestWaitMs), decide);
    const isOther = !isSame(hold, next);
    hold = next;
    if (isOther && isOpen) options.onChange();
  }

  function findHold(nowMs: number): Hold | null {
    if (isOffline) return { error: switchedOffError(), resumeAtMs: null };
    const { down } = network;
    if (down !== null) return { error: down.error, resumeAtMs: nowMs + down.nextLookMs };
    if (!isSuspended) return null;
    return { error: new AppError('network.offline', 'The computer goes to sleep'), resumeAtMs: null };
  }

  function hasClosed(): boolean {
    return isClosed;
  }

  function asksSystem(): boolean {
    return limits.isPausedOnBattery || limits.isPausedOnMetered;
  }

  // Only for as long as there is something that the answer matters to.
  async function look(): Promise<void> {
    stopLooking();
    if (isClosed || !asksSystem()) return;
    state = await system.read();
    decide();
    if (hasClosed() || !isBusy()) return;
    // Another look may have come to here meanwhile.
    stopLooking();
    cancelLook = timers.after(lookMs, () => void look());
  }

  function stopLooking(): void {
    cancelLook?.();
    cancelLook = null;
  }

  function isBusy(): boolean {
    return work.runningCount > 0 || work.hasMore;
  }

  function fallAsleep(): void {
    isSuspended = true;
    cancelSuspend?.();
    cancelSuspend = timers.after(longestSuspendMs, wakeUp);
    decide();
  }

  function wakeUp(): void {
    const wasSuspended = isSuspended;
    isSuspended = false;
    cancelSuspend?.();
    network.hurry();
    // Who was told before the computer slept has let go of all connections already.
    if (!wasSuspended) options.onWake();
    decide();
  }

  function keepAwake(): void {
    const isWanted = limits.isKeptAwake && work.runningCount > 0;
    if (isWanted === isAwakeKept) return;
    isAwakeKept = isWanted;
    system.keepAwake(isWanted);
  }

  decide();
  isOpen = true;
  return {
    get hold() {
      return hold;
    },
    setLimits(next) {
      limits = next;
      keepAwake();
      decide();
      void look();
    },
    setOffline(next) {
      isOffline = next;
      // What was known of the network is of before.
      if (!next) network.hurry();
      decide();
    },
    noteWork(next) {
      const wasBusy = isBusy();
      work = next;
      keepAwake();
      time.setActive(isBusy());
      if (isBusy() && !wasBusy) void look();
    },
    suspectNetwork: (connectionId) => network.suspect(connectionId),
    hurry: () => network.hurry(),
    close() {
      isClosed = true;
      stopEvents();
      network.close();
      time.close();
      cancelLook?.();
      cancelChange?.();
      cancelSuspend?.();
      if (isAwakeKept) system.keepAwake(false);
    },
  };
}

function isSame(one: Hold | null, other: Hold | null): boolean {
  return one?.error.code === other?.error.code && one?.resumeAtMs === other?.resumeAtMs;
}
