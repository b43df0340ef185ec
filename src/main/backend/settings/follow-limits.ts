import type { TransferLimits } from '#shared/settings/transfer-limits.ts';
import type { SettingsHolder } from './settings-holder.ts';

interface Limited {
  setMaxConcurrentTransfers(count: number): void;
  setLimits(limits: TransferLimits): void;
}

/** Keeps transfers within the limits that are set, whoever sets them. Returns the way to stop. */
export function followLimits(settings: SettingsHolder, downloads: Limited): () => void {
  return settings.onChange(({ maxConcurrentTransfers, transferLimits }) => {
    downloads.setMaxConcurrentTransfers(maxConcurrentTransfers);
    downloads.setLimits(transferLimits);
  });
}
