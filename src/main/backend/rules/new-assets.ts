import type { AssetRule } from '#shared/selection/asset-rule.ts';
import { assetsOf } from '#shared/stac/asset.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { chooseAssets, type ChosenAsset } from '../downloads/queue/choose-assets.ts';
import type { NewTransfer } from '../downloads/queue/order-store.ts';
import type { DealtWith } from '../notebook/rule-marks.ts';

/** An Item with assets that a rule hasn't dealt with. */
export interface NewItem extends IdentifiedItem {
  /** Keys of those that it has. */
  knownKeys: readonly string[];
}

/** Items that a rule knows nothing of, and those that have gained an asset that it orders. `known` is of the same order. */
export function takeNew(
  items: readonly IdentifiedItem[],
  known: readonly (DealtWith | null)[],
  choice: AssetRule,
): NewItem[] {
  return items.flatMap((one, index) => {
    const dealtWith = known[index] ?? null;
    if (dealtWith === 'all') return [];
    const fresh = { ...one, knownKeys: dealtWith ?? [] };
    return dealtWith === null || wantedFiles(fresh, choice).length > 0 ? [fresh] : [];
  });
}

/** What a rule orders of an Item now. */
export function wantedOf({ knownKeys }: NewItem, choice: AssetRule): AssetRule {
  return { ...choice, exceptKeys: [...choice.exceptKeys, ...knownKeys] };
}

/** The files of it. */
export function wantedFiles(one: NewItem, choice: AssetRule): NewTransfer[] {
  return chosenOf(one, choice).flatMap((chosen) => ('transfer' in chosen ? chosen.transfer : []));
}

/**
 * What a rule has dealt with once that is ordered: all that the Item has, wanted or not, since a rule that is changed is for
 * what comes from then on. What there is no way to yet is looked at again.
 */
export function keysDealtWith(one: NewItem, choice: AssetRule): string[] {
  const wayless = chosenOf(one, choice).flatMap((chosen) => ('transfer' in chosen ? [] : chosen.assetKey));
  const present = assetsOf(one.item).flatMap(({ key }) => (wayless.includes(key) ? [] : key));
  return [...new Set([...one.knownKeys, ...present])];
}

function chosenOf(one: NewItem, choice: AssetRule): ChosenAsset[] {
  return chooseAssets(one.item, wantedOf(one, choice));
}
