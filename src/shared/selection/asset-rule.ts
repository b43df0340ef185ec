import { z } from 'zod';
import { matchesGlob, readPatterns } from './glob.ts';

const names = z.array(z.string().max(500)).max(1000);

/** Which assets of many Items are wanted: those that fit any of the lists or the pattern, less the exceptions. */
export const assetRuleSchema = z.object({
  keys: names,
  roles: names,
  /** Common names of bands, or names where they have none. */
  bands: names,
  /** Patterns for key or file name, parted by commas or spaces: `B0*, SCL`. */
  pattern: z.string().max(500),
  /** Keys that are not wanted although something else chooses them. */
  exceptKeys: names,
});

/** Which assets of many Items are wanted. */
export type AssetRule = z.infer<typeof assetRuleSchema>;

/** What a rule looks at. */
export interface RuleSubject {
  key: string;
  roles: readonly string[];
  bands: readonly string[];
  fileName: string;
}

/** The rule that chooses nothing. */
export const noAssets: AssetRule = { keys: [], roles: [], bands: [], pattern: '', exceptKeys: [] };

/** Whether a rule can choose anything at all. */
export function isEmptyRule({ keys, roles, bands, pattern }: AssetRule): boolean {
  return keys.length + roles.length + bands.length === 0 && readPatterns(pattern).length === 0;
}

/** A test for many assets. */
export function createAssetTest(rule: AssetRule): (subject: RuleSubject) => boolean {
  const keys = new Set(rule.keys);
  const except = new Set(rule.exceptKeys);
  const roles = new Set(rule.roles);
  const bands = new Set(rule.bands);
  const patterns = readPatterns(rule.pattern);
  return ({ key, roles: itsRoles, bands: itsBands, fileName }) => {
    if (except.has(key)) return false;
    return (
      keys.has(key) ||
      itsRoles.some((role) => roles.has(role)) ||
      itsBands.some((band) => bands.has(band)) ||
      patterns.some((pattern) => matchesGlob(key, pattern) || matchesGlob(fileName, pattern))
    );
  };
}

/** One rule that chooses what any of several chooses; an exception holds where all agree on it. */
export function joinRules(rules: readonly AssetRule[]): AssetRule {
  const join = (name: 'keys' | 'roles' | 'bands') => [...new Set(rules.flatMap((rule) => rule[name]))];
  const [first] = rules;
  return {
    keys: join('keys'),
    roles: join('roles'),
    bands: join('bands'),
    pattern: [...new Set(rules.flatMap(({ pattern }) => readPatterns(pattern)))].join(' '),
    exceptKeys: (first?.exceptKeys ?? []).filter((key) =>
      rules.every((rule) => rule.exceptKeys.includes(key)),
    ),
  };
}
