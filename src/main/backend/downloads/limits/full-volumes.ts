import type { Disk } from '../file/disk.ts';
import { takesBytes } from '../file/probe-volume.ts';
import { reserveBytes } from '../file/volumes.ts';
import type { Timers } from '../tasks/timers.ts';

const lookMs = 30_000;

/**
 * Volumes without room. Where a write has failed nothing is begun until there is some; where a file was seen not to fit
 * smaller ones go on, and those of unknown size. Other volumes go on as well.
 */
export interface FullVolumes {
  /** Whether a file that needs so much more, null where nobody knows, has to wait. */
  isFull(destination: string, neededBytes: number | null): boolean;
  /** What has to wait, of each volume. */
  all(): FullVolume[];
  /** A file of `neededBytes` more didn't fit. `known` are all folders that may be on the same volume. */
  noteFull(full: Unfit & { destination: string; known: readonly string[] }): Promise<void>;
  close(): void;
}

interface Unfit {
  neededBytes: number;
  /** Whether the volume said so itself, when it was written to: nothing fits then. */
  isOut: boolean;
  /** What was free when it was looked at; null where nobody knows. */
  freeBytes: number | null;
}

/** A volume without room for files of `neededBytes` or more; for none at all, those of unknown size included, if `isOut`. */
export interface FullVolume extends Unfit {
  /** Folders on it. */
  destinations: string[];
}

interface Full extends Unfit {
  destinations: Set<string>;
}

/** Looks every 30 s whether what didn't fit fits now. A volume that can't be looked at has no room. */
export function createFullVolumes(options: {
  disk: Disk;
  timers: Timers;
  /** Called when folders take nothing any more, or what didn't fit fits again. */
  onChange: (change: { destinations: string[]; hasRoom: boolean }) => void;
}): FullVolumes {
  const { disk, timers, onChange } = options;
  const volumes = new Map<string, Full>();
  /** Full themselves; which others are on the same volume is being found out. */
  const asking = new Set<string>();
  let isClosed = false;
  let cancelLook: (() => void) | null = null;

  async function deviceOf(destination: string): Promise<string | null> {
    return disk.lstat(destination).then(
      ({ device }) => device,
      () => null,
    );
  }

  async function look(): Promise<void> {
    cancelLook = null;
    for (const [device, full] of volumes) {
      const { destinations, neededBytes } = full;
      full.freeBytes = await freeOf(destinations);
      const hasRoom = full.freeBytes >= neededBytes + reserveBytes && (await takeBytes(destinations));
      if (isClosed) return;
      if (!hasRoom) continue;
      volumes.delete(device);
      onChange({ destinations: [...destinations], hasRoom: true });
    }
    schedule();
  }

  async function freeOf(destinations: ReadonlySet<string>): Promise<number> {
    const free = await Promise.all([...destinations].map((path) => disk.freeBytes(path).catch(() => 0)));
    return Math.max(0, ...free);
  }

  async function takeBytes(destinations: ReadonlySet<string>): Promise<boolean> {
    for (const path of destinations) if (await takesBytes(disk, path)) return true;
    return false;
  }

  function schedule(): void {
    if (volumes.size > 0 && !isClosed) cancelLook ??= timers.after(lookMs, () => void look());
  }

  return {
    isFull(destination, neededBytes) {
      const isUnfit = (full: Full) => full.isOut || (neededBytes !== null && neededBytes >= full.neededBytes);
      const there = [...volumes.values()].filter((full) => full.destinations.has(destination));
      return asking.has(destination) || there.some(isUnfit);
    },
    all: () =>
      [...volumes.values()].map(({ destinations, ...full }) => ({
        ...full,
        destinations: [...destinations],
      })),
    async noteFull({ destination, neededBytes, isOut, freeBytes, known }) {
      if (isOut) asking.add(destination);
      const device = (await deviceOf(destination)) ?? destination;
      const devices = await Promise.all(known.map(deviceOf));
      asking.delete(destination);
      if (isClosed) return;
      const full = volumes.get(device) ?? { destinations: new Set<string>(), neededBytes, isOut, freeBytes };
      full.neededBytes = Math.min(full.neededBytes, neededBytes);
      full.isOut ||= isOut;
      full.freeBytes = freeBytes;
      full.destinations.add(destination);
      known.forEach((path, index) => devices[index] === device && full.destinations.add(path));
      volumes.set(device, full);
      schedule();
      if (isOut) onChange({ destinations: [...full.destinations], hasRoom: false });
    },
    close() {
      isClosed = true;
      cancelLook?.();
    },
  };
}
