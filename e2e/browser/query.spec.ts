import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { SearchWindow } from '../support/search-window.ts';
import { startDemoCatalog, type DemoCatalog } from '../support/start-demo-catalog.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';
import { startSwath } from '../support/start-swath.ts';
import { expect, test as windowTest } from '../support/window-test.ts';

interface Asked {
  catalog: DemoCatalog;
  recorder: Recorder;
}

// Swath on a catalog whose searches are written down on their way.
const test = windowTest.extend<object, { asked: Asked }>({
  asked: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'swath-e2e-'));
      const catalog = await startDemoCatalog(dataDir);
      const recorder = await startRecorder(catalog.port);
      await use({ catalog, recorder });
      await recorder.stop();
      await catalog.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  start: [
    async ({ asked }, use) => {
      const { catalog, recorder } = asked;
      const baseUrl = catalog.baseUrl.replace(`:${catalog.port}`, `:${recorder.port}`);
      await use(() => startSwath({ baseUrl, token: catalog.token }));
    },
    { scope: 'worker' },
  ],
});

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

async function addProperty(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Property', exact: true }).click();
  await page.getByRole('combobox', { name: 'Find a property' }).fill(name);
  await page.keyboard.press('Enter');
}

async function typeRequest(page: Page, request: unknown): Promise<void> {
  const disclosure = page.getByRole('button', { name: 'Request', exact: true });
  if ((await disclosure.getAttribute('aria-expanded')) === 'false') await disclosure.click();
  const text = typeof request === 'string' ? request : JSON.stringify(request);
  await page.getByRole('textbox', { name: 'The request as JSON' }).fill(text);
}

test('what every kind of control says is what goes out', async ({ page, asked }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-2 Level-2A');
  await page.getByRole('textbox', { name: 'From day' }).fill('2025-05-01 10:30');
  await page.getByRole('textbox', { name: 'To day' }).fill('2026-09-30');
  await page.getByRole('switch', { name: 'Limit cloud cover' }).click();
  await page.getByRole('spinbutton', { name: /cloud cover/ }).fill('62.5');
  await page.getByText('Agriculture cloud mask').click();
  await addProperty(page, 'sun elevation');
  await page.getByRole('textbox', { name: 'Sun elevation more than, in °' }).fill('10');
  await page.getByRole('textbox', { name: 'Sun elevation less than, in °' }).fill('80.5');
  await addProperty(page, 'platform');
  await page.getByRole('combobox', { name: 'Platform is' }).selectOption({ index: 1 });
  const platform = await page.getByRole('combobox', { name: 'Platform is' }).inputValue();
  await addProperty(page, 'created');
  await page.getByRole('textbox', { name: 'Catalogued after' }).fill('2020-01-01');
  await page.getByRole('radio', { name: 'Most cloud' }).click();
  await page.getByRole('button', { name: /^Full items/ }).click();
  await page.getByRole('radio', { name: 'Custom' }).click();
  await page.getByRole('textbox', { name: 'Fields to exclude' }).fill('links, assets.B02');
  await page.getByRole('spinbutton', { name: 'Items per page' }).fill('7');
  await page.getByRole('spinbutton', { name: 'Items at most' }).fill('50');
  const shown = await swath.readRequest();
  await swath.search();
  const sent = asked.recorder.searches.at(-1);
  expect(sent).toEqual(shown);
  expect(sent).toEqual({
    collections: ['sentinel-2-l2a'],
    datetime: '2025-05-01T10:30:00Z/2026-09-30T23:59:59.999Z',
    query: {
      'eda:ag_cloud_mask_available': { eq: true },
      'view:sun_elevation': { gt: 10, lt: 80.5 },
      platform: { eq: platform },
      created: { gt: '2020-01-01T00:00:00Z' },
      'eo:cloud_cover': { lt: 62.5 },
    },
    sortby: [{ field: 'properties.eo:cloud_cover', direction: 'desc' }],
    fields: { exclude: ['links', 'assets.B02'] },
    limit: 7,
  });
});

test('items without the agriculture cloud mask can be asked for', async ({ page, asked }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-2 Level-2A');
  await addProperty(page, 'ag_cloud_mask_available');
  await swath.search();
  expect(asked.recorder.searches.at(-1)).toEqual({
    collections: ['sentinel-2-l2a'],
    query: { 'eda:ag_cloud_mask_available': { eq: false } },
    limit: 100,
  });
});

test('the limit of cloud cover is applied here where unknown cloud cover is wanted too', async ({
  page,
  asked,
}) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-2 Level-2A', 'Sentinel-1');
  await page.getByRole('switch', { name: 'Limit cloud cover' }).click();
  await expect(page.getByText(/has no cloud cover: with this condition/)).toBeVisible();
  await page.getByRole('switch', { name: 'Include unknown cloud cover' }).click();
  await expect(page.getByText(/has no cloud cover: with this condition/)).toHaveCount(0);
  await expect(page.getByText(/the limit isn’t sent: it is applied here/)).toBeVisible();
  await swath.search();
  expect(asked.recorder.searches.at(-1)).toEqual({
    collections: ['sentinel-2-l2a', 'sentinel-1-rtc'],
    limit: 100,
  });
  const texts = await swath.rows.allInnerTexts();
  const values = texts.flatMap((text) => /([\d.]+)\s%/.exec(text)?.[1] ?? []).map(Number);
  expect(values.length).toBeLessThan(texts.length);
  expect(Math.max(0, ...values)).toBeLessThanOrEqual(30);
});

test('controls and JSON follow each other', async ({ page, asked }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  const request = {
    collections: ['sentinel-2-l2a'],
    ids: ['nothing-has-this-id'],
    datetime: '2026-05-01T10:00:00Z',
    bbox: [-5, 41, 10, 51],
    query: { 'view:sun_elevation': { gt: 20, lte: 60 }, 'eo:cloud_cover': { lt: 12 } },
    sortby: [{ field: 'properties.datetime', direction: 'asc' }],
    limit: 25,
  };
  await typeRequest(page, request);
  await expect(page.getByRole('list', { name: 'Chosen collections' })).toContainText('Sentinel-2');
  await expect(page.getByRole('textbox', { name: 'At', exact: true })).toHaveValue('2026-05-01T10:00:00Z');
  await expect(page.getByRole('spinbutton', { name: /cloud cover/ })).toHaveValue('12');
  await expect(page.getByRole('textbox', { name: 'Sun elevation at most, in °' })).toHaveValue('60');
  await expect(page.getByRole('radio', { name: 'Oldest' })).toBeChecked();
  await expect(page.getByRole('textbox', { name: 'Only these item ids' })).toHaveValue('nothing-has-this-id');
  await page.keyboard.press('Control+Enter');
  await expect(swath.counts).toBeVisible();
  expect(asked.recorder.searches.at(-1)).toEqual(request);

  await page.getByRole('textbox', { name: 'Sun elevation more than, in °' }).fill('25');
  expect(await swath.readRequest()).toEqual({
    ...request,
    query: { ...request.query, 'view:sun_elevation': { gt: 25, lte: 60 } },
  });
});

test('a window that is loaded anew shows the question again', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  const request = {
    collections: ['sentinel-2-l2a'],
    datetime: '2026-05-01T10:00:00Z',
    bbox: [-5, 41, 10, 51],
    query: { 'eo:cloud_cover': { lt: 12 } },
    limit: 25,
  };
  await typeRequest(page, request);
  await page.getByRole('switch', { name: 'Include unknown cloud cover' }).click();
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('swath.question')))
    .toContain('"localFilter":{');
  const before = await swath.readRequest();
  await page.reload();
  await expect(page.getByRole('list', { name: 'Chosen collections' })).toContainText('Sentinel-2');
  await expect(page.getByRole('switch', { name: 'Include unknown cloud cover' })).toBeChecked();
  expect(await swath.readRequest()).toEqual(before);
});

test('a request that can’t be read is named by line and member, and can’t be asked', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  const search = page.getByRole('button', { name: 'Search', exact: true }).last();
  await typeRequest(page, '{\n  "limit": 10,\n  "collections": "a"\n}');
  await expect(page.getByText(/Line 3, collections: a list/)).toBeVisible();
  await expect(search).toBeDisabled();
  await typeRequest(page, '{\n  "limit": 10,\n}');
  await expect(page.getByText(/Line 3: a comma too many/)).toBeVisible();
  await page.getByRole('button', { name: 'Undo what was typed' }).click();
  await expect(search).toBeEnabled();
  expect(await swath.readRequest()).toEqual({ limit: 100 });
});

test('a number that is none is said at its control', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-2 Level-2A');
  await addProperty(page, 'sun elevation');
  await page.getByRole('textbox', { name: 'Sun elevation more than, in °' }).fill('high');
  await expect(page.getByText('Write a number')).toBeVisible();
  await expect(page.getByText('Sun elevation: “high” can’t be read.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Search', exact: true }).last()).toBeDisabled();
});

test('an operator is offered once it was accepted, and no more once it was refused', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await typeRequest(page, { collections: ['sentinel-2-l2a'], query: { gsd: { lte: 60 } }, limit: 10 });
  await swath.search();
  await addProperty(page, 'sun azimuth');
  const more = page.getByRole('combobox', { name: 'Another test of Sun azimuth' });
  await expect(more.getByRole('option', { name: 'at most' })).toBeAttached();
  await expect(more.getByRole('option', { name: 'at least' })).toHaveCount(0);

  await typeRequest(page, { collections: ['sentinel-2-l2a'], query: { platform: { contains: '2' } } });
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('The catalog refuses this question')).toBeVisible();
  await expect(page.getByText(/It doesn’t take “contains” on “platform”/)).toBeVisible();
  await page.getByRole('button', { name: 'Remove it' }).click();
  expect(await swath.readRequest()).toEqual({ collections: ['sentinel-2-l2a'] });
});

test('a property that a collection lacks is marked, and the collection can be searched apart', async ({
  page,
  asked,
}) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-2 Level-2A', 'Sentinel-1');
  await addProperty(page, 'sun elevation');
  await page.getByRole('textbox', { name: 'Sun elevation more than, in °' }).fill('30');
  await expect(page.getByText(/Sentinel-1 .* has no sun elevation: with this condition none/)).toBeVisible();
  await page.getByRole('button', { name: 'Search it apart' }).click();
  await expect(swath.counts).toBeVisible();
  expect(asked.recorder.searches.at(-1)).toEqual({ collections: ['sentinel-1-rtc'], limit: 100 });
  await page.getByRole('button', { name: 'Back to all of it' }).click();
  expect(await swath.readRequest()).toMatchObject({
    collections: ['sentinel-2-l2a', 'sentinel-1-rtc'],
    query: { 'view:sun_elevation': { gt: 30 } },
  });
});

test('the copied command gives the same answer', async ({ page, asked, swath: { dataDir } }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await typeRequest(page, {
    collections: ['sentinel-2-l2a'],
    query: { 'eo:cloud_cover': { lt: 50 } },
    intersects: {
      type: 'Polygon',
      coordinates: [
        [
          [-10, 36],
          [30, 36],
          [30, 60],
          [-10, 60],
          [-10, 36],
        ],
      ],
    },
    sortby: [{ field: 'properties.eo:cloud_cover', direction: 'asc' }],
    // One page: the links of the next ones lead past the recorder.
    limit: 40,
  });
  await page.getByRole('button', { name: /^Full items/ }).click();
  await page.getByRole('spinbutton', { name: 'Items at most' }).fill('30');
  await page.getByRole('spinbutton', { name: 'Items at most' }).press('Enter');
  await expect(swath.counts).toContainText(/^30/);
  await page.getByRole('button', { name: 'Copy the request as swath' }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).not.toContain(asked.catalog.token);
  const program = `swath() { "${process.execPath}" out/main/cli.js "$@" --data-dir="${dataDir}-cli"; }`;
  // The recorder is in this process and has to answer meanwhile.
  const { stdout: output } = await promisify(execFile)('sh', ['-c', `${program}\n${command}`], {
    env: { ...process.env, SWATH_TOKEN: asked.catalog.token },
    maxBuffer: 64 * 1024 * 1024,
  });
  rmSync(`${dataDir}-cli`, { recursive: true, force: true });
  const ids = output
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: string }).id);
  expect(ids).toHaveLength(30);
  const rows = await swath.rows.allInnerTexts();
  expect(rows.length).toBeGreaterThan(2);
  for (const [index, row] of rows.entries()) expect(row.replace(/\s/g, '')).toContain(ids[index]);
});
