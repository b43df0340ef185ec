import type { QueueStatus } from '#shared/transfer/queue-status.ts';
import type { TransferLimits } from '#shared/settings/transfer-limits.ts';
import type { SettingsChange } from '../state/settings-state.svelte.ts';
import { formatMoment } from '../format/format-time.ts';
import { describeProblem } from './problem-words.ts';

/** Why nothing runs, and the way to go on all the same. */
export interface HoldWords {
  title: string;
  hint: string;
  /** What lets it go on now; null where that is in nobody's hand. */
  release: ((limits: TransferLimits) => SettingsChange) | null;
  releaseLabel: string;
  isSetInSettings: boolean;
  /** Whether going on by hand asks once more. */
  canTryNow: boolean;
}

/** What keeps the whole queue from running, for those who look at a part of it. */
export interface StopWords {
  /** For a line that says how something stands. */
  state: string;
  /** What happened; a sentence without its full stop. */
  what: string;
  /** How it goes on; a sentence. */
  next: string;
  /** Whether a person's pause, limits or working offline are it: then no time holds at which a transfer would go on by itself. */
  isByPerson: boolean;
}

/** What keeps the whole queue from running; null while nothing does. A person's own pause says more than any other. */
export function describeStop(
  queue: Pick<QueueStatus, 'isPaused' | 'hold'>,
  { now, isOffline }: { now: Date; isOffline: boolean },
): StopWords | null {
  if (queue.isPaused)
    return {
      state: 'The queue is paused',
      what: 'The queue is paused',
      next: 'Resume all to go on.',
      isByPerson: true,
    };
  const { hold } = queue;
  const isByPerson = hold?.error.code.startsWith('limit.') === true;
  if (isOffline) {
    const then = hold && isByPerson ? `${describeHold(hold, now).title}, once you are online.` : null;
    return {
      state: 'Waits while offline',
      what: 'You are working offline',
      next: then ?? 'It goes on by itself when you go online.',
      isByPerson: true,
    };
  }
  if (hold === null) return null;
  const { title, hint } = describeHold(hold, now);
  return { state: title, what: title, next: hint, isByPerson };
}

/** How something that waits goes on: not before what a person has stopped does, which is said once. */
export function sayWhatFollows(
  { what, next }: { what: string; next: string },
  stop: StopWords | null,
): string {
  if (!stop?.isByPerson) return next;
  return stop.what === what ? stop.next : `${stop.what}. ${stop.next}`;
}

/** Why a queued transfer of a collection has to wait though others run; null where only its turn is to come. */
export function describePause(
  { pauses }: Pick<QueueStatus, 'pauses'>,
  file: { connectionId: string | undefined; collectionId: string },
): StopWords | null {
  const pause = pauses.find(
    ({ connectionId, collectionId }) =>
      connectionId === file.connectionId && collectionId === file.collectionId,
  );
  if (!pause) return null;
  return {
    state: 'Queued',
    what: `${pause.host} has asked for a pause`,
    next: `Goes on at ${formatMoment(pause.resumeAt)}.`,
    isByPerson: false,
  };
}

/** Why nothing runs now; `now` decides whether a day has to be named. */
export function describeHold({ error, resumeAt }: NonNullable<QueueStatus['hold']>, now: Date): HoldWords {
  const time = formatMoment(resumeAt);
  switch (error.code) {
    case 'limit.schedule':
      return {
        title: `Paused by the week plan${resumeAt === null ? '' : ` until ${describeLocal(new Date(resumeAt), now)}`}`,
        hint: 'Downloads run only in the hours that you set.',
        release: (limits) => ({
          transferLimits: { ...limits, schedule: { ...limits.schedule, isOn: false } },
        }),
        releaseLabel: 'Switch the week plan off',
        isSetInSettings: true,
        canTryNow: false,
      };
    case 'limit.metered':
      return {
        title: 'Paused: this connection is paid for by volume',
        hint: 'They go on by themselves on another one.',
        release: (limits) => ({ transferLimits: { ...limits, isPausedOnMetered: false } }),
        releaseLabel: 'Use metered connections too',
        isSetInSettings: true,
        canTryNow: false,
      };
    case 'limit.battery':
      return {
        title: 'Paused: the computer runs on battery',
        hint: 'They go on by themselves when it is plugged in.',
        release: (limits) => ({ transferLimits: { ...limits, isPausedOnBattery: false } }),
        releaseLabel: 'Run on battery too',
        isSetInSettings: true,
        canTryNow: false,
      };
    case 'network.switched-off':
      return {
        title: 'You are working offline',
        hint: 'Downloads go on by themselves when you go online.',
        release: () => ({ isWorkingOffline: false }),
        releaseLabel: 'Go online',
        isSetInSettings: false,
        canTryNow: false,
      };
    case 'http.too-many-requests':
      return {
        title: `${nameHost(error)} asks for a rest${time === null ? '' : ` until ${time}`}`,
        hint: 'What comes from there goes on by itself then, with fewer connections.',
        release: null,
        releaseLabel: '',
        isSetInSettings: false,
        canTryNow: true,
      };
    default: {
      const { what, next, waits } = describeProblem(error);
      return {
        title: waits === '' ? what : waits,
        hint: `${what}.${time === null ? '' : ` Looks again at ${time}.`} ${next}`,
        release: null,
        releaseLabel: '',
        isSetInSettings: false,
        canTryNow: error.code.startsWith('network.'),
      };
    }
  }
}

function nameHost({ details }: NonNullable<QueueStatus['hold']>['error']): string {
  return typeof details['host'] === 'string' ? details['host'].slice(0, 200) : 'the server';
}

// The hours of a plan are those of the clock on the wall.
function describeLocal(at: Date, now: Date): string {
  const time = `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
  if (at.toDateString() === now.toDateString()) return `${time} (your time)`;
  return `${at.toLocaleDateString('en-GB', { weekday: 'long' })} ${time} (your time)`;
}
