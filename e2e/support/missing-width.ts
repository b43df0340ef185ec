import type { Locator } from '@playwright/test';

/** What a list of choices is short of the width in which all of the chosen one shows, in pixels. */
export function missingWidth(list: Locator): Promise<number> {
  return list.evaluate((select: HTMLSelectElement) => {
    const roomy = select.cloneNode() as HTMLSelectElement;
    roomy.add(new Option(select.selectedOptions[0]?.text));
    Object.assign(roomy.style, { width: 'auto', maxWidth: 'none', position: 'absolute' });
    select.after(roomy);
    const width = roomy.offsetWidth;
    roomy.remove();
    return Math.max(0, width - select.offsetWidth);
  });
}
