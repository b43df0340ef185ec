import { isEmptyRule, noAssets, type AssetRule } from '#shared/selection/asset-rule.ts';
import { usualRuleLimits, type DownloadRule, type RuleTerms } from '#shared/transfer/download-rule.ts';
import type { LinkMode } from '#shared/transfer/transfer.ts';

/** A rule as it is typed. */
export interface RuleDraft {
  names: string;
  roles: string;
  maxFiles: string;
  /** In GB; empty for no limit. */
  maxGigabytes: string;
  every: Every;
}

/** How often the window runs a rule by itself. */
export type Every = 'look' | '6' | '24' | '168';

/** Choices of how often. */
export const everyOptions: readonly { value: Every; label: string }[] = [
  { value: 'look', label: 'Only when I look for new' },
  { value: '6', label: 'Every 6 hours' },
  { value: '24', label: 'Once a day' },
  { value: '168', label: 'Once a week' },
];

const gigabyte = 1e9;
// A key that is a name of its own in a list, and means nothing as a pattern.
const plainKey = /^[^\s,*?]+$/;

/** What a dialog begins with. */
export function draftOf(rule: DownloadRule | null): RuleDraft {
  const choice = rule?.choice;
  const { maxFiles, maxBytes, everyHours } = rule ?? { ...usualRuleLimits, everyHours: 24 };
  const keys = (choice?.keys ?? []).filter((key) => plainKey.test(key));
  return {
    names: [...keys, choice?.pattern ?? ''].filter((name) => name !== '').join(', '),
    roles: choice?.roles.join(', ') ?? '',
    maxFiles: String(maxFiles),
    maxGigabytes: maxBytes === null ? '' : String(maxBytes / gigabyte),
    every: everyOptions.find(({ value }) => value === String(everyHours))?.value ?? 'look',
  };
}

/** The terms that were typed, or what is wrong with them, at which field. */
export function readDraft(
  draft: RuleDraft,
  { before, destination, links }: { before: DownloadRule | null; destination: string; links: LinkMode },
): { terms: RuleTerms } | { field: 'names' | 'maxFiles' | 'maxGigabytes'; why: string } {
  const choice = readChoice(draft, before);
  if (isEmptyRule(choice)) return { field: 'names', why: 'Say which assets: by name or by role.' };
  const maxFiles = Number(draft.maxFiles);
  if (!Number.isInteger(maxFiles) || maxFiles < 1 || maxFiles > 10_000)
    return { field: 'maxFiles', why: 'A whole number from 1 to 10,000.' };
  const maxBytes = readSize(draft.maxGigabytes.trim());
  if (maxBytes === 'wrong') return { field: 'maxGigabytes', why: 'A number of GB, or nothing for no limit.' };
  const everyHours = draft.every === 'look' ? null : Number(draft.every);
  return { terms: { choice, destination, links, maxFiles, maxBytes, everyHours } };
}

// What the dialog has no field for stays as it was.
function readChoice({ names, roles }: RuleDraft, before: DownloadRule | null): AssetRule {
  const { keys, bands, exceptKeys } = before?.choice ?? noAssets;
  const listed = roles.split(',').map((role) => role.trim());
  return {
    keys: keys.filter((key) => !plainKey.test(key)),
    roles: listed.filter((role) => role !== ''),
    bands,
    pattern: names.trim(),
    exceptKeys,
  };
}

function readSize(text: string): number | null | 'wrong' {
  if (text === '') return null;
  const sizeBytes = Math.round(Number(text) * gigabyte);
  return sizeBytes >= 1 && sizeBytes <= Number.MAX_SAFE_INTEGER ? sizeBytes : 'wrong';
}
