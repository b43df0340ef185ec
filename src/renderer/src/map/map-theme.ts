/** The colours the map draws with, as the canvas takes them. */
export interface MapTheme {
  sea: string;
  land: string;
  landLine: string;
  river: string;
  aoi: string;
  accent: string;
  surface: string;
  text: string;
  muted: string;
  fontFamily: string;
  /** Any CSS colour, `var(--…)` included, as a plain colour. */
  resolve: (colour: string) => string;
}

/**
 * Reads the window's colour tokens where `element` stands. They are written with `light-dark()`, which a custom property
 * keeps as text: only a real property resolves it, hence the probe.
 */
export function readMapTheme(element: HTMLElement): MapTheme {
  const resolved = new Map<string, string>();
  const resolve = (colour: string): string => {
    const known = resolved.get(colour);
    if (known !== undefined) return known;
    const probe = document.createElement('span');
    probe.style.color = colour;
    // Forced to the system's one text colour, land, sea and footprints would be one white surface.
    probe.style.setProperty('forced-color-adjust', 'none');
    element.append(probe);
    const plain = getComputedStyle(probe).color;
    probe.remove();
    resolved.set(colour, plain);
    return plain;
  };
  return {
    sea: resolve('var(--sea)'),
    land: resolve('var(--land)'),
    landLine: resolve('var(--land-line)'),
    river: resolve('var(--river)'),
    aoi: resolve('var(--aoi)'),
    accent: resolve('var(--accent)'),
    surface: resolve('var(--surface)'),
    text: resolve('var(--text)'),
    muted: resolve('var(--text-muted)'),
    fontFamily: getComputedStyle(element).fontFamily,
    resolve,
  };
}
