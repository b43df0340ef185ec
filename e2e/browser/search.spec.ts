import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

test.describe('the first search', () => {
  test('shows recent images in the view with one press', async ({ page }) => {
    const swath = new SearchWindow(page);
    await swath.open();
    await page.getByRole('button', { name: 'Show recent images in this view' }).click();
    await expect(swath.rows.first()).toContainText(/2026-\d\d-\d\d/);
    await expect(page.getByText(/as of \d\d:\d\d UTC · kept in the library/)).toBeVisible();
    const picture = swath.rows.first().locator('img');
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  });

  test('asks exactly what the panel says', async ({ page }) => {
    const swath = new SearchWindow(page);
    await swath.open();
    await swath.chooseCollections('Sentinel-2', 'Landsat');
    await page.getByRole('textbox', { name: 'From day' }).fill('2026-05-01');
    await page.getByRole('textbox', { name: 'To day' }).fill('2026-09-30');
    await page.getByRole('switch', { name: 'Limit cloud cover' }).click();
    await page.getByRole('spinbutton', { name: /cloud cover/ }).fill('40');
    await page.getByRole('radio', { name: 'Least cloud' }).click();
    await page.getByRole('radio', { name: 'View' }).click();
    const request = await swath.readRequest();
    expect(request).toEqual({
      collections: [expect.stringContaining('sentinel-2'), expect.stringContaining('landsat')],
      datetime: '2026-05-01T00:00:00Z/2026-09-30T23:59:59.999Z',
      bbox: [expect.any(Number), expect.any(Number), expect.any(Number), expect.any(Number)],
      query: { 'eo:cloud_cover': { lt: 40 } },
      sortby: [{ field: 'properties.eo:cloud_cover', direction: 'asc' }],
      limit: 100,
    });

    await swath.search();
    await expect(swath.rows.first()).toBeVisible();
    await expect(page.getByRole('region', { name: 'Timeline' })).toBeVisible();
    expect(await swath.readRequest(), 'though the map gave room to the timeline').toEqual(request);
    const texts = await swath.rows.allInnerTexts();
    const values = texts.map((text) => Number(/([\d.]+)\s%/.exec(text)?.[1]));
    expect(values.length).toBeGreaterThan(2);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(Math.max(...values)).toBeLessThan(40);
  });

  test('collections are chosen by typing and Enter, one after the other', async ({ page }) => {
    const swath = new SearchWindow(page);
    await swath.open();
    const chosen = page.getByRole('list', { name: 'Chosen collections' }).getByRole('listitem');
    await page.getByRole('combobox', { name: 'Collections' }).click();
    await page.keyboard.type('sentinel-2 level');
    await page.keyboard.press('Enter');
    await expect(chosen).toHaveText(['Sentinel-2 Level-2A']);
    await page.keyboard.type('landsat');
    await page.keyboard.press('Enter');
    await expect(chosen).toHaveText(['Sentinel-2 Level-2A', /Landsat/]);
  });

  test('a day that doesn’t exist is not searched without', async ({ page }) => {
    const swath = new SearchWindow(page);
    await swath.open();
    const search = page.getByRole('button', { name: 'Search', exact: true }).last();
    await page.getByRole('textbox', { name: 'From day' }).pressSequentially('2026-02-30');
    await page.keyboard.press('Enter');
    await expect(page.getByText('There is no such day')).toBeVisible();
    await expect(search).toBeDisabled();
    await expect(swath.counts).toHaveCount(0);

    await page.getByRole('textbox', { name: 'From day' }).clear();
    await page.getByRole('textbox', { name: 'From day' }).pressSequentially('2026-05-15');
    await expect(search).toBeEnabled();
    expect(await swath.readRequest()).toMatchObject({ datetime: '2026-05-15T00:00:00Z..' });
  });

  test('says what a condition costs, and offers the way out', async ({ page }) => {
    const swath = new SearchWindow(page);
    await swath.open();
    await swath.chooseCollections('Sentinel-1');
    await page.getByRole('switch', { name: 'Limit cloud cover' }).click();
    await expect(page.getByText(/Sentinel-1 .* has no cloud cover/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Take the condition away' })).toBeVisible();
    await swath.chooseCollections('Sentinel-2');
    await page.getByRole('button', { name: 'Leave it out' }).click();
    await expect(page.getByRole('list', { name: 'Chosen collections' }).getByRole('listitem')).toHaveCount(1);
  });

  test('says what to change when nothing matches', async ({ page }) => {
    const swath = new SearchWindow(page);
    await swath.open();
    await page.getByRole('textbox', { name: 'To day' }).fill('1999-12-31');
    await swath.search();
    await expect(swath.counts).toHaveText('No items');
    await expect(page.getByText('Take a longer time, then search again.')).toBeVisible();
  });

  test('refuses a time that ends before it starts', async ({ page }) => {
    const swath = new SearchWindow(page);
    await swath.open();
    await page.getByRole('textbox', { name: 'From day' }).fill('2026-05-02');
    await page.getByRole('textbox', { name: 'To day' }).fill('2026-05-01');
    await expect(page.getByText('The last day is before the first day.').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Search', exact: true }).last()).toBeDisabled();
  });
});

test('more items come page by page until the last', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.search();
  await expect(page.getByText(/^All \d+ items are here$/)).toBeVisible();
  await expect(swath.counts).toHaveText(/^\d{3} items$/);
});

test.describe('map and list', () => {
  test('a row under the pointer lights up on the map', async ({ page }) => {
    const swath = new SearchWindow(page);
    await swath.open();
    await swath.search();
    await page.getByRole('button', { name: 'Show all results' }).click();
    await expect(page.getByText(/^All \d+ items are here$/)).toBeVisible();
    const look = () => swath.map.screenshot({ animations: 'disabled' });
    // Footprints are drawn some time after their items came: what still comes begins the look anew.
    await expect(async () => {
      await page.mouse.move(5, 5);
      const before = await look();
      expect(before.equals(await look())).toBe(true);
      await swath.rows.nth(2).hover();
      const isAsBefore = async () => before.equals(await look());
      await expect.poll(isAsBefore, { timeout: 5000 }).toBe(false);
      await page.mouse.move(5, 5);
      await expect.poll(isAsBefore, { timeout: 5000 }).toBe(true);
    }).toPass();
  });

  test('a footprint that is clicked is found in the list', async ({ page }) => {
    const swath = new SearchWindow(page);
    await swath.open();
    await swath.chooseCollections('Sentinel-2');
    await swath.search();
    await expect(page.getByText(/^All \d+ items are here$/)).toBeVisible();
    await swath.rows.nth(3).click();
    await page.getByRole('button', { name: 'Show on the map' }).click();
    await page.getByRole('button', { name: 'Results', exact: true }).click();
    await expect(swath.results).toBeFocused();
    await swath.results.press('Home');

    const box = await swath.map.boundingBox();
    if (!box) throw new Error('The map has no place');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    // Images of the same tile lie over each other there: the last of the choice is far down the list.
    const choice = page.getByRole('listbox', { name: /footprints here$/ });
    const id = (await choice.getByRole('option').last().locator('.id').getAttribute('title')) ?? '';
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    const chosen = swath.rows.and(page.locator('[data-active]'));
    await expect(chosen).toHaveCount(1);
    await expect(chosen).toBeInViewport();
    await expect(chosen.getByTitle(id)).toHaveCount(1);
  });

  test('what is said of the place under the pointer goes when the map moves on', async ({ page }) => {
    const swath = new SearchWindow(page);
    await swath.open();
    await swath.chooseCollections('Sentinel-2');
    await swath.search();
    await swath.rows.nth(3).click();
    await page.getByRole('button', { name: 'Show on the map' }).click();
    const box = await swath.map.boundingBox();
    if (!box) throw new Error('The map has no place');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const tip = page.locator('.tip .id');
    await expect(tip).toBeVisible();
    await swath.map.focus();
    await expect(async () => {
      await page.keyboard.press('ArrowRight');
      await expect(tip).toBeHidden({ timeout: 300 });
    }).toPass();
  });

  test('results that lie elsewhere are brought into view', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const swath = new SearchWindow(page);
    await swath.open();
    const box = await swath.map.boundingBox();
    if (!box) throw new Error('The map has no place');
    for (let drag = 0; drag < 2; drag++) {
      await page.mouse.move(box.x + box.width * 0.25, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2, { steps: 5 });
      await page.mouse.up();
    }
    const readView = async (): Promise<unknown> => {
      await page.getByRole('radio', { name: 'View' }).click();
      const request = await swath.readRequest();
      await page.getByRole('button', { name: 'Clear', exact: true }).click();
      return request;
    };
    const ocean = await readView();
    const [, , east = 0] = (ocean as { bbox: number[] }).bbox;
    expect(east).toBeLessThan(-10);
    await swath.search();
    await expect.poll(readView).not.toEqual(ocean);
  });

  test('an area drawn on the map limits the search', async ({ page }) => {
    const swath = new SearchWindow(page);
    await swath.open();
    await swath.search();
    const everywhere = await swath.counts.innerText();
    const box = await swath.map.boundingBox();
    if (!box) throw new Error('The map has no place');
    const at = (x: number, y: number): [number, number] => [box.x + box.width * x, box.y + box.height * y];
    await page.getByRole('radio', { name: 'Box' }).click();
    await page.mouse.click(...at(0.35, 0.35));
    await page.mouse.move(...at(0.5, 0.5));
    await page.mouse.click(...at(0.7, 0.65));
    await expect(page.getByText(/km²$/)).toBeVisible();
    expect(await swath.readRequest()).toMatchObject({ intersects: { type: 'Polygon' } });
    await swath.search();
    await expect(swath.counts).not.toHaveText(everywhere);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    expect(await swath.readRequest()).toEqual({ limit: 100 });
  });
});
