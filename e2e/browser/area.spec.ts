import type { Page } from '@playwright/test';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

const field = 'POLYGON ((4 46, 6 46, 6 48, 4 46))';
const fieldPolygon = {
  type: 'Polygon',
  coordinates: [
    [
      [4, 46],
      [6, 46],
      [6, 48],
      [4, 46],
    ],
  ],
};

async function type(page: Page, text: string): Promise<void> {
  await page.getByRole('radio', { name: 'Type' }).click();
  await page.getByRole('textbox', { name: 'Area as text' }).fill(text);
}

async function drop(page: Page, file: { name: string; content: string }): Promise<void> {
  const transfer = await page.evaluateHandle(({ name, content }) => {
    const data = new DataTransfer();
    data.items.add(new File([content], name));
    return data;
  }, file);
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer });
  await expect(page.getByText('Drop it to search in its area')).toBeVisible();
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await expect(page.getByText('Drop it to search in its area')).toBeHidden();
}

test('coordinates that can be two places are asked about', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await type(page, '47.32, 5.04');
  await page.getByRole('button', { name: '47.32° N, 5.04° E' }).click();
  expect(await swath.readRequest()).toMatchObject({
    intersects: { type: 'Point', coordinates: [5.04, 47.32] },
  });
  await page.getByRole('textbox', { name: /sides in kilometres/ }).fill('50');
  await page.getByRole('button', { name: 'Make a box' }).click();
  const { bbox } = (await swath.readRequest()) as { bbox: number[] };
  expect(bbox[3]).toBeCloseTo(47.32 + 25 / 111.2, 2);
});

test('a typed box goes out as a box, and Enter takes it', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await type(page, '4, 46, 6, 48');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Box 4° E to 6° E, 46° N to 48° N', { exact: false })).toBeVisible();
  expect(await swath.readRequest()).toMatchObject({ bbox: [4, 46, 6, 48] });
  await swath.search();
  await expect(swath.rows.first()).toBeVisible();
});

test('what can’t be understood says what would be', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await type(page, 'somewhere near Dijon');
  await expect(page.getByRole('textbox', { name: 'Area as text' })).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText(/paste GeoJSON or WKT/)).toBeVisible();
});

test('an outline that crosses itself is named and taken apart', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await type(page, 'POLYGON ((4 46, 6 48, 6 46, 4 48.5, 4 46))');
  await page.getByRole('button', { name: 'Use this area' }).click();
  await expect(page.getByText(/crosses itself at 47\.\d+° N, 5\.\d+° E/)).toBeVisible();
  await page.getByRole('button', { name: 'Take it apart there' }).click();
  await expect(page.getByText(/crosses itself/)).toBeHidden();
  expect(await swath.readRequest()).toMatchObject({ intersects: { type: 'MultiPolygon' } });
});

test('a file dropped on the window becomes the area; a broken one says what to do', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  const points = fieldPolygon.coordinates[0]?.map((position) => position.join()).join(' ') ?? '';
  const kml = `<kml><Placemark><name>Vineyard</name><Polygon><outerBoundaryIs><LinearRing><coordinates>${points}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>`;
  await drop(page, { name: 'my area.kml', content: kml });
  await expect(page.getByRole('textbox', { name: 'Name of the area' })).toHaveValue('Vineyard');
  expect(await swath.readRequest()).toMatchObject({ intersects: fieldPolygon });

  await drop(page, { name: 'cut.kml', content: kml.slice(0, 90) });
  await expect(page.getByText('The area can’t be read')).toBeVisible();
  await expect(page.getByText(/“cut\.kml”.*damaged.*Save or download it again/s)).toBeVisible();
  // The area that was there stays.
  expect(await swath.readRequest()).toMatchObject({ intersects: fieldPolygon });
});

test('a detailed file is simplified with consent, and that can be taken back', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  const ring = Array.from({ length: 3000 }, (_, i) => {
    const angle = (i / 1500) * Math.PI;
    const radius = 2 + 0.1 * Math.sin(angle * 90);
    return [5 + radius * Math.cos(angle), 47 + radius * Math.sin(angle)];
  });
  const content = JSON.stringify({ type: 'Polygon', coordinates: [[...ring, ring[0]]] });
  await page.getByLabel('File with an area').setInputFiles({
    name: 'Island.geojson',
    mimeType: 'application/geo+json',
    buffer: Buffer.from(content),
  });
  await page.getByRole('button', { name: 'Simplify…' }).click();
  await page.getByRole('radio', { name: '250' }).click();
  await page.getByRole('button', { name: 'Simplify', exact: true }).click();
  const { intersects } = (await swath.readRequest()) as { intersects: { coordinates: number[][][] } };
  expect(intersects.coordinates[0]?.length).toBeLessThanOrEqual(251);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('3,000 vertices', { exact: false }).first()).toBeVisible();
});

test('corners are edited without a mouse', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await type(page, field);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Edit the corners' }).press('Enter');
  await page.getByRole('textbox', { name: 'Latitude of corner 3' }).fill('49');
  await page.getByRole('button', { name: 'Add a corner after corner 3' }).press('Enter');
  await page.getByRole('textbox', { name: 'Longitude of corner 4' }).fill('3.5');
  await page.getByRole('button', { name: 'Apply' }).press('Enter');
  expect(await swath.readRequest()).toMatchObject({
    intersects: {
      coordinates: [
        [
          [4, 46],
          [6, 46],
          [6, 49],
          [3.5, 47.5],
          [4, 46],
        ],
      ],
    },
  });
});

test('an area is kept under a name, used again, renamed, removed and brought back', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await type(page, field);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Kept areas' }).click();
  await page.getByRole('textbox', { name: 'Name for this area' }).fill('Côte-d’Or');
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await expect(page.getByText('“Côte-d’Or” is kept')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  expect(await swath.readRequest()).not.toHaveProperty('intersects');

  // It is there for the next window too.
  await swath.open();
  await page.getByRole('button', { name: 'Kept areas' }).click();
  await page.getByRole('button', { name: /^Côte-d’Or .*km²/ }).click();
  expect(await swath.readRequest()).toMatchObject({ intersects: fieldPolygon });

  await page.getByRole('button', { name: 'Kept areas' }).click();
  await page.getByRole('button', { name: 'Rename Côte-d’Or' }).click();
  await page.getByRole('textbox', { name: 'New name of Côte-d’Or' }).fill('Beaune');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove Beaune' }).click();
  await expect(page.getByRole('button', { name: /^Beaune/ })).toBeHidden();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByRole('button', { name: 'Kept areas' }).click();
  await expect(page.getByRole('button', { name: /^Beaune .*km²/ })).toBeVisible();
});

test('a drawn polygon is edited on the map, and clearing it can be taken back', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  const box = await swath.map.boundingBox();
  if (!box) throw new Error('The map has no place');
  const at = (x: number, y: number): [number, number] => [box.x + box.width * x, box.y + box.height * y];
  await page.getByRole('radio', { name: 'Polygon' }).click();
  for (const [x, y] of [
    [0.4, 0.4],
    [0.6, 0.4],
    [0.6, 0.6],
  ] as const) {
    await page.mouse.move(...at(x, y));
    await page.mouse.click(...at(x, y));
  }
  await page.keyboard.press('Enter');
  await expect(page.getByText(/3 vertices/)).toBeVisible();
  const drawn = await swath.readRequest();
  await page.mouse.move(...at(0.6, 0.6));
  await page.mouse.down();
  await page.mouse.move(...at(0.65, 0.7), { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => swath.readRequest()).not.toEqual(drawn);
  const edited = await swath.readRequest();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await swath.readRequest()).toEqual(edited);
});
