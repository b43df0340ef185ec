import { createAssetTest, type AssetRule, type RuleSubject } from '#shared/selection/asset-rule.ts';
import { matchesGlob, readPatterns } from '#shared/selection/glob.ts';
import { availabilityOf, type AssetAvailability } from '#shared/stac/asset-availability.ts';
import { bandNamesOf } from '#shared/stac/asset-bands.ts';
import { assetsOf, fileNameInHref, type Asset } from '#shared/stac/asset.ts';
import type { ItemRef, StacItem } from '#shared/stac/item.ts';

/** One asset as many Items have it, by its key. */
export interface AssetKind {
  key: string;
  title: string | null;
  mediaType: string | null;
  roles: string[];
  bands: string[];
  itemCount: number;
  knownBytes: number;
  unknownCount: number;
  unavailableCount: number;
}

/** What a rule chooses, and how much that is. */
export interface AssetTotal {
  itemCount: number;
  withoutCount: number;
  fileCount: number;
  knownBytes: number;
  unknownCount: number;
  directoryCount: number;
  unsupportedCount: number;
  chosenKeys: string[];
  chosenKeyCount: number;
  idlePatterns: string[];
}

/** What is kept of an asset: 10,000 Items of 20 of them have to fit into memory. */
interface PlannedAsset {
  key: string;
  roles: readonly string[];
  bands: readonly string[];
  fileName: string;
  sizeBytes: number | null;
  availability: AssetAvailability;
}

const maxChosenKeys = 400;
const noNames: readonly string[] = [];

/** The assets of many Items, to choose from by rules. */
export class AssetPlan {
  readonly #items: { ref: ItemRef; assets: readonly PlannedAsset[] }[] = [];
  readonly #kinds = new Map<string, AssetKind>();
  /** Equal lists of names are one list. */
  readonly #names = new Map<string, readonly string[]>();

  add(ref: ItemRef, item: StacItem): void {
    const assets = assetsOf(item);
    for (const asset of assets) this.#count(asset);
    this.#items.push({ ref, assets: assets.map((asset) => this.#toPlanned(asset)) });
  }

  /** Those that most Items have first; then in the order in which they were met. */
  get kinds(): AssetKind[] {
    return [...this.#kinds.values()].sort((a, b) => b.itemCount - a.itemCount);
  }

  /** The assets of each Item that a rule chooses and that can be downloaded. */
  choose(rule: AssetRule): { ref: ItemRef; assetKeys: string[] }[] {
    const isChosen = createAssetTest(rule);
    return this.#items.flatMap(({ ref, assets }) => {
      const chosen = assets.filter((asset) => asset.availability === 'downloadable' && isChosen(asset));
      return chosen.length === 0 ? [] : [{ ref, assetKeys: chosen.map(({ key }) => key) }];
    });
  }

  total(rule: AssetRule): AssetTotal {
    const isChosen = createAssetTest(rule);
    const total = { itemCount: 0, fileCount: 0, knownBytes: 0, unknownCount: 0 };
    const unavailable = { directory: 0, 'unsupported-scheme': 0 };
    const chosenKeys = new Set<string>();
    const idlePatterns = new Set(readPatterns(rule.pattern));
    for (const { assets } of this.#items) {
      const before = total.fileCount;
      for (const { key, roles, bands, fileName, sizeBytes, availability } of assets) {
        for (const pattern of idlePatterns)
          if (matchesGlob(key, pattern) || matchesGlob(fileName, pattern)) idlePatterns.delete(pattern);
        if (!isChosen({ key, roles, bands, fileName } satisfies RuleSubject)) continue;
        if (availability !== 'downloadable') {
          unavailable[availability] += 1;
          continue;
        }
        chosenKeys.add(key);
        total.fileCount += 1;
        total.knownBytes += sizeBytes ?? 0;
        if (sizeBytes === null) total.unknownCount += 1;
      }
      if (total.fileCount > before) total.itemCount += 1;
    }
    return {
      ...total,
      withoutCount: this.#items.length - total.itemCount,
      directoryCount: unavailable.directory,
      unsupportedCount: unavailable['unsupported-scheme'],
      // In the catalog's order, however they were met.
      chosenKeys: [...this.#kinds.keys()].filter((key) => chosenKeys.has(key)).slice(0, maxChosenKeys),
      chosenKeyCount: chosenKeys.size,
      idlePatterns: [...idlePatterns],
    };
  }

  #count(asset: Asset): void {
    const { key, title, mediaType, roles, sizeBytes } = asset;
    const bands = bandNamesOf(asset);
    const kind = this.#kinds.get(key) ?? {
      key,
      title,
      mediaType,
      roles: [],
      bands: [],
      itemCount: 0,
      knownBytes: 0,
      unknownCount: 0,
      unavailableCount: 0,
    };
    this.#kinds.set(key, kind);
    addNew(kind.roles, roles);
    addNew(kind.bands, bands);
    kind.title ??= title;
    kind.mediaType ??= mediaType;
    kind.itemCount += 1;
    kind.knownBytes += sizeBytes ?? 0;
    if (sizeBytes === null) kind.unknownCount += 1;
    if (availabilityOf(asset) !== 'downloadable') kind.unavailableCount += 1;
  }

  #toPlanned(asset: Asset): PlannedAsset {
    return {
      key: asset.key,
      roles: this.#share(asset.roles),
      bands: this.#share(bandNamesOf(asset)),
      fileName: fileNameInHref(asset),
      sizeBytes: asset.sizeBytes,
      availability: availabilityOf(asset),
    };
  }

  #share(names: readonly string[]): readonly string[] {
    if (names.length === 0) return noNames;
    const text = names.join('\n');
    const known = this.#names.get(text);
    if (known) return known;
    this.#names.set(text, names);
    return names;
  }
}

function addNew(list: string[], names: readonly string[]): void {
  for (const name of names) if (!list.includes(name)) list.push(name);
}
