/**
 * `npm run guide:screenshots`: takes every picture of the user guide from the running product, on a fresh data folder with
 * a simulated market and a stand-in for Telegram. Names of pictures take only those again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { startOwnProduct } from '../../web/e2e/own-product.ts';
import { chromiumArgs, chromiumPath } from '../chromium.ts';
import { startTelegramEmulator } from '../telegram-emulator/emulator.ts';
import { fill } from './fill.ts';
import { namedPictures } from './guide.ts';
import { admin, windowOf } from './people.ts';
import { pictures, type Who } from './pictures.ts';
import { take } from './take.ts';

/** Bytes. The guide is fetched as a whole. */
const PICTURE_MAX = 150_000;

const wanted = process.argv.slice(2);
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'mintwatch-guide-'));
const telegram = await startTelegramEmulator({ username: 'mintwatch_bot' });
const browser = await chromium.launch({
  executablePath: chromiumPath,
  // Grey edges of letters: coloured ones are of one screen, and make a picture half as large again.
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
  console.log('filling it as users would');
  const { user, newcomer, operator, ...tokens } = await fill(browser, product.url, telegram);
  const windows: Record<Who, Page> = {
    user: user.page,
    newcomer: newcomer.page,
    admin: operator.page,
    visitor: await windowOf(browser, product.url),
  };
  const all = pictures(tokens);
  const missing = namedPictures().filter((name) => all.every((picture) => picture.name !== name));
  if (missing.length > 0) throw new Error(`nothing takes these pictures of the guide: ${missing.join(', ')}`);
  for (const picture of all.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const bytes = await take(windows[picture.who], picture);
    console.log(
      `${picture.name}: ${Math.round(bytes / 1000)} kB${bytes > PICTURE_MAX ? ', too much: take less of it' : ''}`,
    );
  }
} finally {
  await browser.close();
  await product.stop();
  await telegram.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
