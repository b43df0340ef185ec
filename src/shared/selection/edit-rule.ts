import { createAssetTest, type AssetRule } from './asset-rule.ts';

/** An asset as it stands in a list of keys; whether a pattern finds its file is known elsewhere. */
export interface RuleEntry {
  key: string;
  roles: readonly string[];
  bands: readonly string[];
  /** Whether the rule's pattern finds a file of it. */
  isFoundByPattern: boolean;
}

/** Whether a rule chooses an entry. */
export function isEntryChosen(rule: AssetRule, entry: RuleEntry): boolean {
  if (rule.exceptKeys.includes(entry.key)) return false;
  return entry.isFoundByPattern || createAssetTest(rule)({ ...entry, fileName: '' });
}

/** The rule that chooses an entry where this one doesn't, and the other way round; all others stay as they are. */
export function toggleEntry(rule: AssetRule, entry: RuleEntry): AssetRule {
  const { key } = entry;
  const without = (keys: readonly string[]) => keys.filter((one) => one !== key);
  if (isEntryChosen(rule, entry)) {
    const freed = { ...rule, keys: without(rule.keys) };
    // Something else than its key chooses it: only an exception takes it out.
    return isEntryChosen(freed, entry) ? { ...freed, exceptKeys: [...freed.exceptKeys, key] } : freed;
  }
  const allowed = { ...rule, exceptKeys: without(rule.exceptKeys) };
  return isEntryChosen(allowed, entry) ? allowed : { ...allowed, keys: [...allowed.keys, key] };
}

/** The rule with a role or a band added, or taken away where it has it. */
export function toggleName(rule: AssetRule, kind: 'roles' | 'bands', name: string): AssetRule {
  const names = rule[kind];
  return { ...rule, [kind]: names.includes(name) ? names.filter((one) => one !== name) : [...names, name] };
}
