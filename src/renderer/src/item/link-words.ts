import type { LinkKind } from '#shared/transfer/link-kind.ts';
import { formatClock, formatDuration } from '../format/format-time.ts';

/** What is minted to be copied. */
export interface MintedLink {
  kind: LinkKind;
  /** RFC 3339; null when it doesn't end or doesn't say. */
  expiresAt: string | null;
  leftSeconds: number | null;
}

/** What a person has to know of a link that is on the clipboard: how long it lasts and who can use it. */
export function describeMintedLink({ kind, expiresAt, leftSeconds }: MintedLink, now: Date): string {
  if (kind === 'direct') return 'The file is public: this is its address, and anybody can download it.';
  const span =
    expiresAt === null || leftSeconds === null
      ? 'It doesn’t say how long it is valid'
      : `Valid until ${formatClock(expiresAt, now)}, ${formatDuration(leftSeconds)}`;
  return `${span}; whoever has it can download the file.`;
}
