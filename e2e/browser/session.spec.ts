import { expect, test } from '../support/window-test.ts';

test('the window opens with its session', async ({ page }) => {
  const answer = await page.goto('/');
  expect(answer?.status()).toBe(200);
  await expect(page).toHaveTitle(/Swath/);
  await expect(page.locator('#app > *').first()).toBeVisible();
});

test('a browser without the session is told where to find an address', async ({ browser, swath }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const answer = await page.goto(`${swath.origin}/`);
  expect(answer?.status()).toBe(403);
  await expect(page.getByRole('heading')).toContainText('address');
  await context.close();
});

test('the page can load nothing from elsewhere', async ({ page, complaints }) => {
  await page.goto('/');
  const outcome = await page.evaluate(() =>
    fetch('https://example.com/').then(
      () => 'loaded',
      () => 'refused',
    ),
  );
  expect(outcome).toBe('refused');
  expect(complaints.splice(0).join()).toContain('Content Security Policy');
});
