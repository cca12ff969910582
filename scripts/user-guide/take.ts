import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Box, Picture } from './picture.ts';

/** The folder of the user guide's text and pictures. */
const guideFolder = path.resolve(import.meta.dirname, '../../api/docs/user-guide');

/** Returns the pictures named in the guide, without folder and extension, in order. */
export function namedPictures(): string[] {
  const text = readFileSync(path.join(guideFolder, 'guide.md'), 'utf8');
  return [...text.matchAll(/!\[[^\]]+\]\(images\/([a-z-]+)\.png\)/g)].map(([, name = '']) => name);
}

/** The window, px. */
const WIDTH = 1280;
const HEIGHT = 800;
/** Height of the header, which stays at the top of the window, px. */
const HEADER = 48;

/** Opens the page of a picture, waits for its content and writes it. Returns its size in bytes. */
export async function take(page: Page, picture: Picture): Promise<number> {
  const height = picture.windowHeight ?? HEIGHT;
  await page.setViewportSize({ width: WIDTH, height });
  await page.mouse.move(0, 0);
  await page.goto(picture.path);
  const live = page.getByRole('button', { name: /^Connection: Live, \d+ ms$/ });
  if (picture.viewer !== 'visitor') await expect(live).toBeVisible({ timeout: 30_000 });
  await picture.prepare(page);
  await page.evaluate('document.fonts.ready.then(() => true)');
  // No toast, and nothing that still loads.
  await expect(page.locator('[data-toast]')).toHaveCount(0, { timeout: 30_000 });
  await expect(page.locator('.animate-pulse')).toHaveCount(0, { timeout: 30_000 });
  const clip = await clipOf(page, picture, height);
  const file = path.join(guideFolder, 'images', `${picture.name}.png`);
  const png = await page.screenshot({ path: file, clip, animations: 'disabled', caret: 'hide' });
  return png.length;
}

async function clipOf(page: Page, { frame, rows, margin = 0 }: Picture, height: number): Promise<Box> {
  if (frame === 'window') return { x: 0, y: 0, width: WIDTH, height };
  if (frame === undefined) {
    const main = await boxOf(page.locator('main'));
    const bottom = Math.min(height, await endOf(page));
    return { x: main.x, y: HEADER, width: main.width, height: bottom - HEADER };
  }
  if (typeof frame === 'object') return frame;
  const part = frame(page);
  const before = await boxOf(part);
  const hidden = before.y + before.height > height;
  if (hidden) await page.evaluate(`scrollBy(0, ${before.y - HEADER})`);
  const box = await boxOf(part);
  const y = box.y - margin;
  return {
    x: box.x - margin,
    y,
    width: box.width + 2 * margin,
    height: Math.min(height - y, rows ?? box.height + 2 * margin),
  };
}

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${locator.toString()} is not visible`);
  return box;
}

/** Returns the end of the page, with the same space below as above, px from the top of the window. The script is text, since this project has no DOM types. */
async function endOf(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const main = document.querySelector('main');
    const bottoms = [...main.querySelectorAll('*')].map((one) => one.getBoundingClientRect().bottom);
    return Math.max(...bottoms) + Number.parseFloat(getComputedStyle(main).paddingTop);
  })()`);
}
