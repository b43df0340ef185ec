import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What of the window is looked at; all of it where nothing is said. */
interface Scope {
  /** Only what this selector names: what lies around it was looked at before. */
  within?: string;
}

/**
 * Fails when what the window shows now has an accessibility violation; `view` says what that is. In the dark only colours
 * are looked at: nothing else is different from the same view in the light.
 */
export async function expectNoViolations(page: Page, view: string, { within }: Scope = {}): Promise<void> {
  // A colour on its way to another has the contrast of neither.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map(({ finished }) => finished),
    ),
  );
  const isDark = await page.evaluate(() => {
    const { colorScheme } = getComputedStyle(document.documentElement);
    const followsSystem = colorScheme !== 'dark' && colorScheme !== 'light';
    return followsSystem ? matchMedia('(prefers-color-scheme: dark)').matches : colorScheme === 'dark';
  });
  const axe = new AxeBuilder({ page });
  if (isDark) axe.withRules(['color-contrast']);
  if (within !== undefined) axe.include(within);
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => ({
    id,
    where: nodes.map(({ html }) => html.slice(0, 160)),
  }));
  expect(found, view).toEqual([]);
}
