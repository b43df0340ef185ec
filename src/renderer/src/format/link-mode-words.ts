import type { LinkMode } from '#shared/transfer/transfer.ts';

/** Ways to the bytes, in words. */
export const linkModeOptions: readonly { value: LinkMode; label: string }[] = [
  { value: 'auto', label: 'Signed, else proxy links' },
  { value: 'signed', label: 'Signed links only' },
  { value: 'proxy', label: 'Proxy links only' },
];
