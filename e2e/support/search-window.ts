import { expect, type Locator, type Page } from '@playwright/test';

/** The window as a person uses it. */
export class SearchWindow {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get results(): Locator {
    return this.page.getByRole('listbox', { name: 'Results' });
  }

  get rows(): Locator {
    return this.results.getByRole('option');
  }

  /** The line above the results that says how many there are. */
  get counts(): Locator {
    return this.page.getByRole('region', { name: 'Results' }).getByRole('heading', { level: 2 });
  }

  get map(): Locator {
    return this.page.getByRole('region', { name: 'Map of footprints' });
  }

  /** Opens the window and waits until its catalog answers. */
  async open(): Promise<void> {
    await this.page.goto('/');
    await expect(this.page.getByText('Connected').first()).toBeVisible({ timeout: 30_000 });
    await expect(this.page.getByRole('combobox', { name: 'Collections' })).toBeEnabled();
  }

  /** Chooses collections by what their titles begin with. */
  async chooseCollections(...titles: string[]): Promise<void> {
    const input = this.page.getByRole('combobox', { name: 'Collections' });
    for (const title of titles) {
      await input.fill(title);
      await this.page.getByRole('option').first().click();
    }
    await input.press('Escape');
  }

  /** Asks, and waits for the answer. */
  async search(): Promise<void> {
    await this.page.getByRole('button', { name: 'Search', exact: true }).last().click();
    await expect(this.counts).toBeVisible();
  }

  /** The request as it would go out, from its disclosure. */
  async readRequest(): Promise<unknown> {
    const disclosure = this.page.getByRole('button', { name: 'Request', exact: true });
    if ((await disclosure.getAttribute('aria-expanded')) === 'false') await disclosure.click();
    return JSON.parse(await this.page.getByRole('textbox', { name: 'The request as JSON' }).inputValue());
  }
}
