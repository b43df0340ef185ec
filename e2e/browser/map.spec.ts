import type { Locator } from '@playwright/test';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

/** The middle of the map and places around it, in CSS pixels of the page. */
async function around(map: Locator): Promise<(dx: number, dy: number) => [x: number, y: number]> {
  const box = await map.boundingBox();
  if (!box) throw new Error('The map is not there');
  return (dx, dy) => [box.x + box.width / 2 + dx, box.y + box.height / 2 + dy];
}

test.describe('the map', () => {
  test.beforeEach(async ({ page }) => {
    const swath = new SearchWindow(page);
    await swath.open();
    await swath.search();
    await page.getByRole('button', { name: 'Show all results' }).click();
  });

  /** Goes over the map until several footprints lie under the pointer, and clicks there. */
  async function clickOnSeveral(swath: SearchWindow): Promise<number> {
    const at = await around(swath.map);
    const tip = swath.page.locator('.tip').last();
    // What it says may still be of the place before.
    const countHere = async (): Promise<number> => {
      for (let frame = 0; frame < 2; frame++)
        await swath.page.evaluate(() => new Promise(requestAnimationFrame));
      const text = (await tip.isVisible()) ? await tip.innerText() : '';
      return Number(/^(\d+) footprints here/.exec(text)?.[1] ?? 0);
    };
    for (let step = 0; step < 160; step++) {
      const [x, y] = at(-150 + (step % 16) * 20, -150 + Math.floor(step / 16) * 30);
      await swath.page.mouse.move(x, y);
      const count = await countHere();
      if (count < 2) continue;
      if ((await countHere()) !== count || (await countHere()) !== count) continue;
      await swath.page.mouse.click(x, y);
      const chooser = swath.page.getByRole('listbox', { name: /footprints here/ });
      await expect(chooser).toBeFocused();
      return chooser.getByRole('option').count();
    }
    throw new Error('No two footprints lie over each other');
  }

  test('a click on several footprints offers all of them, by keyboard too', async ({ page }) => {
    const swath = new SearchWindow(page);
    const count = await clickOnSeveral(swath);
    expect(count).toBeGreaterThan(1);
    const chooser = page.getByRole('listbox', { name: `${count} footprints here` });
    await expect(chooser).toBeFocused();
    await page.keyboard.press('ArrowDown');
    const second = chooser.getByRole('option').nth(1);
    const id = (await second.locator('.id').getAttribute('title')) ?? '';
    expect(id).not.toBe('');
    await page.keyboard.press('Space');
    await expect(second).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(chooser).toHaveCount(0);
    await expect(swath.map).toBeFocused();
    await expect(swath.rows.filter({ hasText: id })).toBeVisible();
  });

  test('pictures are shown within footprints that are large enough, and the next start knows', async ({
    page,
  }) => {
    const swath = new SearchWindow(page);
    const paintedPixels = () =>
      page.locator('.leaflet-pictures-pane canvas').evaluate((canvas: HTMLCanvasElement) => {
        const { width, height } = canvas;
        if (canvas.hidden || width * height === 0) return 0;
        const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
        let count = 0;
        for (let at = 3; at < pixels.length; at += 4) if (pixels[at] === 255) count += 1;
        return count;
      });
    const button = page.getByRole('button', { name: 'Show pictures in the footprints' });
    expect(await paintedPixels()).toBe(0);
    await swath.rows.first().click();
    await page.getByRole('button', { name: 'Show on the map' }).click();
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(paintedPixels).toBeGreaterThan(5000);
    await page.reload();
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    await button.click();
    await expect.poll(paintedPixels).toBe(0);
  });

  test('Escape closes the choice and leaves everything as it was', async ({ page }) => {
    const swath = new SearchWindow(page);
    await clickOnSeveral(swath);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('listbox', { name: /footprints here/ })).toHaveCount(0);
    await expect(swath.map).toBeFocused();
  });

  test('Shift and a drag picks the footprints that the box meets', async ({ page }) => {
    const swath = new SearchWindow(page);
    const at = await around(swath.map);
    await page.keyboard.down('Shift');
    await page.mouse.move(...at(-260, -300));
    await page.mouse.down();
    await page.mouse.move(...at(0, 0), { steps: 3 });
    await page.mouse.move(...at(260, 300), { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await expect(swath.map.getByRole('status')).toHaveText(/^\d[\d,]* picked\.$/);
    await expect(swath.results.locator('[aria-selected=true]').first()).toBeVisible();
  });

  test('the box tool takes two clicks instead of a drag, and Escape leaves it', async ({ page }) => {
    const swath = new SearchWindow(page);
    const at = await around(swath.map);
    const tool = page.getByRole('button', { name: 'Pick footprints by a box' });
    await tool.click();
    await expect(tool).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('Escape');
    await expect(tool).toHaveAttribute('aria-pressed', 'false');
    await tool.click();
    await page.mouse.click(...at(-200, -300));
    await page.mouse.move(...at(0, 0));
    await page.mouse.click(...at(260, 300));
    await expect(swath.map.getByRole('status')).toHaveText(/picked/);
    await expect(tool).toHaveAttribute('aria-pressed', 'false');
    await expect(page.getByRole('listbox', { name: /footprints here/ })).toHaveCount(0);
  });

  test('the arrows move it and plus comes nearer', async ({ page }) => {
    const swath = new SearchWindow(page);
    await swath.map.focus();
    const scale = page.locator('.leaflet-control-scale-line');
    const before = await scale.innerText();
    await page.keyboard.press('+');
    await expect(scale).not.toHaveText(before);
    await page.getByRole('radio', { name: 'View' }).click();
    const bboxBefore = await swath.readRequest();
    await swath.map.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => swath.readRequest()).not.toEqual(bboxBefore);
  });
});
