import type { LinkMode } from '#shared/transfer/transfer.ts';

/** Ways to the bytes, in words. */
export const linkModeOptions: readonly { value: LinkMode; label: string }[] = [
  { value: 'auto', label: 'Signed links, and the proxy where there are none' },
  { value: 'signed', label: 'Signed links only' },
  { value: 'proxy', label: 'Proxy links only' },
];
