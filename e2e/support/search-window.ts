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

  /** Queues assets of the picked items by their names, and goes to the downloads. */
  async download(assets: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Download…' }).click();
    const dialog = this.page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'By name' }).fill(assets);
    await dialog.getByRole('button', { name: 'Start download' }).click();
    await this.page.getByRole('button', { name: 'Show downloads' }).first().click();
  }

  /** Opens the window with the downloads limited, and picks items of an answer, from a place in it on. */
  async pickSlowly(collection: string, { from, count }: { from: number; count: number }): Promise<void> {
    await this.open();
    await this.page.getByRole('button', { name: 'Downloads', exact: true }).click();
    await this.slowDown();
    await this.page.getByRole('button', { name: 'Search', exact: true }).first().click();
    await this.chooseCollections(collection);
    await this.search();
    for (let place = from; place < from + count; place += 1)
      await this.rows.nth(place).click({ modifiers: ['ControlOrMeta'] });
  }

  /** Limits the downloads to a megabyte a second. */
  async slowDown(): Promise<void> {
    await this.page.getByRole('button', { name: /^Limit: none/ }).click();
    await this.page.getByRole('button', { name: '1.00 MB/s' }).click();
    await this.page.keyboard.press('Escape');
    await expect(this.page.getByRole('button', { name: 'Limit: 1.00 MB/s' })).toBeVisible();
  }

  /** The request as it would go out, from its disclosure. */
  async readRequest(): Promise<unknown> {
    const disclosure = this.page.getByRole('button', { name: 'Request', exact: true });
    if ((await disclosure.getAttribute('aria-expanded')) === 'false') await disclosure.click();
    return JSON.parse(await this.page.getByRole('textbox', { name: 'The request as JSON' }).inputValue());
  }
}
