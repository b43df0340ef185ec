import { readFile, writeFile } from 'node:fs/promises';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

test('what is shown goes into a file, and comes back from it as an answer', async ({ page }, testInfo) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-2');
  await swath.search();
  await page.getByRole('button', { name: 'Export…' }).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: /^Export [\d,]+ shown items$/ })).toBeVisible();
  await dialog.getByRole('radio', { name: 'STAC ItemCollection' }).click();
  await dialog.getByLabel('File name').fill('my answer');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(dialog.getByText(/^[\d,]+ items, /)).toBeVisible();
  const path = (await dialog.getByText(/my answer\.json$/).textContent()) ?? '';
  const { features } = JSON.parse(await readFile(path, 'utf8')) as { features: { id: string }[] };
  expect(features.length).toBeGreaterThan(10);
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  const part = testInfo.outputPath('from a colleague.json');
  await writeFile(part, JSON.stringify({ type: 'FeatureCollection', features: features.slice(0, 3) }));
  await openFile(part);
  await expect(page.getByText('From the file from a colleague.json')).toBeVisible();
  await expect(swath.rows).toHaveCount(3);

  const broken = testInfo.outputPath('broken.geojson');
  await writeFile(broken, '{"type":"FeatureCollection","features":[{"type":"Feature"},');
  await openFile(broken);
  await expect(dialog.getByText('Nothing was changed.')).toBeVisible();
  await expect(dialog).toContainText('broken.geojson');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(swath.rows).toHaveCount(3);

  async function openFile(file: string): Promise<void> {
    await page.getByRole('button', { name: 'History' }).click();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open results from a file…' }).click();
    await (await choosing).setFiles(file);
  }
});
