import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Fails when what the window shows now has an accessibility violation; `view` says what that is. Asked of `rules` alone. */
export async function expectNoViolations(page: Page, view: string, rules?: string[]): Promise<void> {
  // A colour on its way to another has the contrast of neither.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map(({ finished }) => finished),
    ),
  );
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  const found = violations.map(({ id, nodes }) => ({
    id,
    where: nodes.map(({ html }) => html.slice(0, 160)),
  }));
  expect(found, view).toEqual([]);
}
