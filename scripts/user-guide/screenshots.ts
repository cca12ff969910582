/**
 * `npm run guide:screenshots`: takes every picture of the user guide from the running product, on a fresh data directory
 * with a simulated market and an emulated Telegram. Names of pictures limit it to those.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { startOwnProduct } from '../../web/e2e/own-product.ts';
import { chromiumArgs, chromiumPath } from '../chromium.ts';
import { startTelegramEmulator } from '../telegram-emulator/emulator.ts';
import { fill } from './fill.ts';
import { admin, openWindow } from './people.ts';
import type { Viewer } from './picture.ts';
import { pictures } from './pictures.ts';
import { namedPictures, take } from './take.ts';

/** Limit of a picture, bytes: the guide is one download. */
const PICTURE_MAX = 150_000;

const { positionals: wanted } = parseArgs({ allowPositionals: true });
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'mintwatch-guide-'));
const telegram = await startTelegramEmulator({ username: 'mintwatch_bot' });
const browser = await chromium.launch({
  executablePath: chromiumPath,
  // Greyscale text: subpixel rendering fits one screen only and makes a picture half as large again.
  args: [...chromiumArgs, '--disable-lcd-text', '--font-render-hinting=none'],
});
const product = await startOwnProduct(dataDir, {
  MARKET_SEED: '7',
  MARKET_RATE: '40',
  SOL_USD: '150',
  ADMIN_USERNAME: admin.username,
  ADMIN_PASSWORD: admin.password,
  DIRECT_ADMIN_KEY: 'a-key-that-is-only-in-pictures',
  TELEGRAM_API_ROOT: telegram.apiRoot,
  TELEGRAM_BOT_TOKEN: telegram.token,
  PUBLIC_URL: 'https://mintwatch.example',
});
try {
  console.log('filling the product');
  const { user, newcomer, operator, ...tokens } = await fill(browser, product.url, telegram);
  const windows: Record<Viewer, Page> = {
    user: user.page,
    newcomer: newcomer.page,
    admin: operator.page,
    visitor: await openWindow(browser, product.url),
  };
  const all = pictures(tokens);
  const missing = namedPictures().filter((name) => all.every((picture) => picture.name !== name));
  if (missing.length > 0) throw new Error(`pictures of the guide without an entry: ${missing.join(', ')}`);
  for (const picture of all.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const bytes = await take(windows[picture.viewer ?? 'user'], picture);
    console.log(
      `${picture.name}: ${Math.round(bytes / 1000)} kB${bytes > PICTURE_MAX ? ', too large: show less' : ''}`,
    );
  }
} finally {
  await browser.close();
  await product.stop();
  await telegram.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
