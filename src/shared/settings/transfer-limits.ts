import { z } from 'zod';
import { weekHours, weekScheduleSchema } from './week-schedule.ts';

const bytesPerSecond = z.number().int().min(1024).max(1_000_000_000_000);

/** How much of the network and the computer transfers may have. How many may run at once is a setting of its own. */
export const transferLimitsSchema = z.object({
  /** Connections to one host at once, of all transfers together. */
  connectionsPerHost: z.number().int().min(1).max(32),
  /** The most for one file; a file has more than one only where that makes it faster. */
  connectionsPerFile: z.number().int().min(1).max(8),
  /** Of all transfers together; null for no limit. */
  bytesPerSecond: bytesPerSecond.nullable(),
  schedule: weekScheduleSchema.extend({
    isOn: z.boolean(),
    /** Bandwidth in the other hours; null: then nothing runs. */
    outsideBytesPerSecond: bytesPerSecond.nullable(),
  }),
  /** Whether transfers stop while the system says that the connection is paid for by volume. */
  isPausedOnMetered: z.boolean(),
  /** Whether transfers stop while the computer runs on battery. */
  isPausedOnBattery: z.boolean(),
  /** Whether the computer is kept from sleeping while transfers run. */
  isKeptAwake: z.boolean(),
});

/** How much of the network and the computer transfers may have. */
export type TransferLimits = z.infer<typeof transferLimitsSchema>;

/** Limits of a first start: the evening's queue goes on through the night. */
export const defaultTransferLimits: TransferLimits = {
  connectionsPerHost: 16,
  connectionsPerFile: 4,
  bytesPerSecond: null,
  schedule: {
    isOn: false,
    // Evenings, nights and weekends, for whoever switches it on.
    hours: Array.from({ length: weekHours }, (_, hour) => isQuiet(Math.floor(hour / 24), hour % 24)),
    outsideBytesPerSecond: null,
  },
  isPausedOnMetered: true,
  isPausedOnBattery: false,
  isKeptAwake: true,
};

function isQuiet(day: number, hour: number): boolean {
  return day >= 5 || hour >= 20 || hour < 6;
}
