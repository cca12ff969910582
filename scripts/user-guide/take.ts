import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { guideFolder } from './guide.ts';
import type { Picture } from './pictures.ts';

/** The window, px. */
const [WIDTH, HEIGHT] = [1280, 800];
/** Kept around a part of a page, px. */
const MARGIN = 8;
/** The header stays at the top of the window, over what is below it, px. */
const HEADER = 48;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Opens the page of a picture, waits for what has to be seen and writes it. Answers its size in bytes. */
export async function take(page: Page, picture: Picture): Promise<number> {
  await page.mouse.move(0, 0);
  await page.goto(picture.path);
  const live = page.getByRole('button', { name: /^Connection: Live, \d+ ms$/ });
  if (picture.who !== 'visitor') await expect(live).toBeVisible({ timeout: 30_000 });
  await picture.prepare(page);
  await page.locator('html').evaluate((html) => html.ownerDocument.fonts.ready);
  // Nothing that is passing, or still on its way.
  await expect(page.locator('li[data-variant]')).toHaveCount(0, { timeout: 30_000 });
  await expect(page.locator('.animate-pulse')).toHaveCount(0, { timeout: 30_000 });
  const clip = await clipOf(page, picture);
  const file = path.join(guideFolder, 'images', `${picture.name}.png`);
  const png = await page.screenshot({ path: file, clip, animations: 'disabled', caret: 'hide' });
  return png.length;
}

async function clipOf(page: Page, { frame, height = HEIGHT }: Picture): Promise<Box> {
  if (frame === 'window') return { x: 0, y: 0, width: WIDTH, height };
  if (frame === 'page') {
    const main = await boxOf(page.locator('main'));
    const end = await endOf(page.locator('main'));
    const bottom = Math.min(HEIGHT, height, end + MARGIN);
    return { x: main.x, y: main.y, width: main.width, height: bottom - main.y };
  }
  const part = frame(page);
  await part.evaluate((element, top) => {
    const box = element.getBoundingClientRect();
    const view = element.ownerDocument.defaultView;
    if (view !== null && box.bottom > view.innerHeight) view.scrollBy(0, box.top - top);
  }, HEADER + MARGIN);
  const box = await boxOf(part);
  const x = Math.max(0, box.x - MARGIN);
  const y = Math.max(0, box.y - MARGIN);
  return {
    x,
    y,
    width: Math.min(WIDTH, box.x + box.width + MARGIN) - x,
    height: Math.min(HEIGHT, box.y + Math.min(height, box.height + MARGIN)) - y,
  };
}

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${locator.toString()} is not to be seen`);
  return box;
}

/** Where what is inside ends, px from the top of the window. */
async function endOf(locator: Locator): Promise<number> {
  return locator.evaluate((element) =>
    Math.max(...[...element.querySelectorAll('*')].map((one) => one.getBoundingClientRect().bottom)),
  );
}
