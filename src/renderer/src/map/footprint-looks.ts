import type { ItemRow } from '#shared/stac/item-row.ts';
import type { FootprintLook } from './footprint-brush.ts';
import type { MapTheme } from './map-theme.ts';

type ColourOf = (collectionId: string) => string;

/** How the footprint of each row is drawn: one object for all that look the same. */
export class FootprintLooks {
  readonly #themeOf: () => MapTheme;
  #colourOf: ColourOf | null = null;
  readonly #looks = new Map<string, { whole: FootprintLook; partial: FootprintLook }>();

  constructor(themeOf: () => MapTheme) {
    this.#themeOf = themeOf;
  }

  /** Whether these are not the colours in use. */
  isOther(colourOf: ColourOf): boolean {
    return colourOf !== this.#colourOf;
  }

  /** Takes the colours of collections: any CSS colour, `var(--…)` included. */
  setColours(colourOf: ColourOf): void {
    if (this.isOther(colourOf)) this.forget();
    this.#colourOf = colourOf;
  }

  /** The theme's colours are others now. */
  forget(): void {
    this.#looks.clear();
  }

  /** The look of a row's footprint. */
  lookOf(row: ItemRow | undefined): FootprintLook {
    const collectionId = row?.collectionId ?? '';
    let looks = this.#looks.get(collectionId);
    if (!looks) {
      const colour = this.#themeOf().resolve(this.#colourOf?.(collectionId) ?? 'currentColor');
      looks = { whole: { colour, isPartial: false }, partial: { colour, isPartial: true } };
      this.#looks.set(collectionId, looks);
    }
    return row?.isPartial === true ? looks.partial : looks.whole;
  }
}
