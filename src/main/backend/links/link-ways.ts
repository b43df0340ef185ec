import type { ResolvedLink, ResolveOptions } from './link.ts';
import type { ItemLinks } from './linked-items.ts';

/** One way to the bytes: which links to ask the Item for, and what kind of target to take from the answer. */
export interface Way {
  links: ItemLinks;
  kind: ResolvedLink['kind'];
  /** Only a target that the service names as the download link. */
  isDownload?: boolean;
}

// A download link without a signature is a public file: going to the proxy for it would only cost time.
const signedWays: Way[] = [
  { links: 'signed', kind: 'signed' },
  { links: 'signed', kind: 'direct', isDownload: true },
];
const proxyWay: Way = { links: 'proxy', kind: 'proxy' };

/** The ways in their order (downloads.md c.2). The user's own credentials come last: they may cost money. */
export function waysFor({ mode, s3Access = 'off' }: Pick<ResolveOptions, 'mode' | 's3Access'>): Way[] {
  const links = mode === 'proxy' ? 'proxy' : 'signed';
  const first = { signed: signedWays, proxy: [proxyWay], auto: [...signedWays, proxyWay] }[mode];
  const own: Way[] = s3Access === 'off' ? [] : [{ links, kind: 'aws' }];
  return [...first, { links, kind: 'direct' }, ...own];
}
