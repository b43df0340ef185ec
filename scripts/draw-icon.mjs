// Draws build/icon.png from build/icon.svg, with the tests' Chromium. Run after a change of the drawing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

import { findChromium } from './prepare/chromium.mjs';
import { projectRoot } from './prepare/paths.mjs';

const sizePx = 512;
const executablePath = findChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
const page = await browser.newPage({ viewport: { width: sizePx, height: sizePx } });
const svg = readFileSync(join(projectRoot, 'build/icon.svg'), 'utf8');
await page.setContent(`<body style="margin:0">${svg}</body>`);
await page.screenshot({ path: join(projectRoot, 'build/icon.png'), omitBackground: true });
await browser.close();
