import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContextOptions, expect, type Page, test } from '@playwright/test';
import { newAccount } from './accounts.ts';
import { type OwnProduct, startOwnProduct } from './own-product.ts';

/** Launches a minute: ten times a usual minute of the largest launchpad. */
const RATE = 300;
/** A list that never holds its rows had 13 of 15 presses open another token; at one in five, 97 of 100 runs would fail. */
const CLICKS = Number(process.env.AIM_TRIALS ?? 15);
/** Taps take a third of the time of clicks. */
const TAPS = Number(process.env.AIM_TRIALS ?? 30);
/** Of this number one may open another token than the one decided on, and four fifths must open theirs; of fewer none, and half. */
const TRIALS_WITH_ONE_WRONG = 60;
/** Longest delay of a response while a page for taps loads, ms: half of the time for which rows wait for what moves them. */
const SLOWEST_RESPONSE = 750;
/** Time from the first movement to the press, ms, above which not the hand but the machine was slow: no trial. */
const SLOWEST_HAND = 2_500;
/** Time for the trials, ms. A busy machine makes fewer of them, at least half. */
const TIME_FOR_TRIALS = 90_000;
/** Outside the reach of the list, in the corner of the sidebar. */
const home = { x: 6, y: 6 };

/**
 * How a press ended: at the token decided on, at another one, or, because the list had just moved, at none; 'void' when
 * the machine was slow.
 */
type Outcome = 'right' | 'wrong' | 'refused' | 'void';

interface Aim {
  decided: string | null;
  opened: string | null;
  /** A press has ended, whether or not it opened a row. */
  clicked: boolean;
  /** Times of the first movement and of the press, ms. */
  moved: number | null;
  pressed: number | null;
}

declare global {
  interface Window {
    aim: Aim;
  }
}

// One product for all tests of this file. A trace (E2E_TRACE) takes a snapshot of the page at every movement, which makes a hand
// ten times as slow; switched off here, the file would get workers of its own after all others.
test.describe.configure({ mode: 'default' });

let dataDir: string;
let product: OwnProduct;

test.beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'mintwatch-aim-'));
  product = await startOwnProduct(dataDir, { MARKET_RATE: String(RATE), MARKET_SEED: '7' });
});
test.afterAll(async () => {
  await product.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/**
 * Creates a page of a new user in a context of its own. A row that opens leaves its address in `window.aim`, and the page
 * stays, so that a trial costs no load.
 */
async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1_280, height: 560 },
    reducedMotion: 'no-preference',
    ...options,
  });
  const page = await context.newPage();
  expect((await page.request.post('/api/auth/register', { data: newAccount() })).ok()).toBe(true);
  await page.addInitScript(() => {
    // The dot that breathes for ever would make the browser draw 60 frames a second, which takes a core without a GPU.
    const still = new CSSStyleSheet();
    still.replaceSync('.animate-breathe, .animate-tint::before { animation: none; }');
    document.adoptedStyleSheets = [still];
    window.aim = { decided: null, opened: null, clicked: false, moved: null, pressed: null };
    window.addEventListener('pointerdown', ({ timeStamp }) => (window.aim.pressed = timeStamp), { capture: true });
    // After the handlers of the page, also of a press that it refuses.
    window.addEventListener('click', () => setTimeout(() => (window.aim.clicked = true)), { capture: true });
    const push = history.pushState.bind(history);
    history.pushState = (state, unused, url) => {
      const opened = /^\/app\/tokens\/(\w+)$/.exec(String(url))?.[1];
      if (opened === undefined) push(state, unused, url);
      else window.aim.opened = opened;
    };
  });
  return page;
}

/** Loads the page `where`, and waits for some rows: long, since three pages with late responses load at once. */
async function show(page: Page, where: string): Promise<void> {
  await page.goto(where);
  await expect(rows(page).nth(4)).toBeVisible({ timeout: 90_000 });
}

const rows = (page: Page) => page.locator('tr[data-address]');

/** Returns the middle of a random visible row, left of its figures. */
function target(page: Page): Promise<{ x: number; y: number }> {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('tr[data-address]')];
    const list = all[0]?.parentElement?.getBoundingClientRect() ?? new DOMRect();
    const height = all[0]?.offsetHeight ?? 0;
    const most = Math.floor((window.innerHeight - 64 - list.top) / height);
    const place = Math.floor(Math.random() * Math.max(1, Math.min(all.length, most)));
    return { x: list.left + 60 + Math.random() * 60, y: list.top + (place + 0.5) * height };
  });
}

async function outcome(page: Page): Promise<Outcome> {
  // The browser makes a click of a tap after it has confirmed the touch.
  await page.waitForFunction(() => window.aim.clicked);
  const { decided, opened, moved, pressed } = await page.evaluate(() => window.aim);
  expect(decided).not.toBeNull();
  if (moved !== null && (pressed ?? 0) - moved > SLOWEST_HAND) return 'void';
  if (opened === null) return 'refused';
  return opened === decided ? 'right' : 'wrong';
}

/** Waits until the list has moved by itself, and a random part of a second longer. */
async function untilMoved(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const first = () => document.querySelector('tr[data-address]')?.getAttribute('data-address');
    const before = first();
    // A loop of frames would make the browser draw 60 times a second, which takes a core.
    await new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        if (first() === before) return;
        observer.disconnect();
        resolve();
      });
      const changes = { subtree: true, childList: true, attributeFilter: ['data-address'] };
      observer.observe(document.querySelector('main') ?? document.body, changes);
    });
    await new Promise((done) => setTimeout(done, Math.random() * 1_000));
  });
}

const travel = () => 250 + Math.random() * 650;

/** Decides on a row as the hand starts, moves to it in 0.25 to 0.9 s, and clicks. */
async function clickOnce(page: Page): Promise<Outcome> {
  await page.mouse.move(home.x, home.y);
  await untilMoved(page);
  const to = await target(page);
  await page.evaluate(({ x, y }) => {
    window.aim = { decided: null, opened: null, clicked: false, moved: null, pressed: null };
    // In the page, so that the time between decision and start does not depend on the machine.
    const decide = ({ timeStamp }: PointerEvent) => {
      window.aim.moved = timeStamp;
      const row = document.elementFromPoint(x, y)?.closest('[data-address]');
      window.aim.decided = row?.getAttribute('data-address') ?? null;
    };
    window.addEventListener('pointermove', decide, { once: true, capture: true });
  }, to);
  const steps = 12;
  const pause = travel() / steps;
  // A hand does not wait until the page has handled its last movement.
  const sent: Promise<void>[] = [];
  for (let step = 1; step <= steps; step += 1) {
    const part = step / steps;
    sent.push(page.mouse.move(home.x + (to.x - home.x) * part, home.y + (to.y - home.y) * part));
    if (step < steps) await page.waitForTimeout(pause);
  }
  sent.push(page.mouse.down(), page.mouse.up());
  await Promise.all(sent);
  return outcome(page);
}

/** Decides on a row, and taps its place 0.25 to 0.9 s later. */
async function tapOnce(page: Page): Promise<Outcome> {
  const to = await target(page);
  await page.evaluate(({ x, y }) => {
    const row = document.elementFromPoint(x, y)?.closest('[data-address]');
    const decided = row?.getAttribute('data-address') ?? null;
    window.aim = { decided, opened: null, clicked: false, moved: null, pressed: null };
  }, to);
  await page.waitForTimeout(travel());
  await page.touchscreen.tap(to.x, to.y);
  return outcome(page);
}

/** Runs this many trials, in the time there is for them, ms. */
async function repeat(times: number, time: number, run: () => Promise<Outcome>): Promise<Outcome[]> {
  const all: Outcome[] = [];
  const end = Date.now() + time;
  while (all.length < times && Date.now() < end) {
    const one = await run();
    if (one !== 'void') all.push(one);
  }
  return all;
}

function expectAimed(all: Outcome[], trials: number): void {
  const count = (one: Outcome) => all.filter((other) => other === one).length;
  const text = `${count('right')} right, ${count('wrong')} wrong, ${count('refused')} refused`;
  test.info().annotations.push({ type: 'aim', description: text });
  expect(all.length).toBeGreaterThanOrEqual(trials / 2);
  const isLong = all.length >= TRIALS_WITH_ONE_WRONG;
  expect(count('wrong'), text).toBeLessThanOrEqual(isLong ? 1 : 0);
  // A list that refuses every press opens no wrong token either. On a busy machine movements are painted late: five of
  // fifteen presses were refused once.
  expect(count('right'), text).toBeGreaterThan(all.length * (isLong ? 0.8 : 0.5));
}

test('a mouse opens the row it set out for, at 300 launches a minute', async ({ browser }) => {
  test.setTimeout(180_000);
  const pages: Page[] = [];
  for (const where of ['/app/tokens', '/app', '/app/tokens']) {
    const page = await newPage(browser);
    await show(page, where);
    pages.push(page);
  }
  const all = await Promise.all(
    pages.map((page) => repeat(CLICKS / pages.length, TIME_FOR_TRIALS, () => clickOnce(page))),
  );
  expectAimed(all.flat(), CLICKS);
  await Promise.all(pages.map((page) => page.context().close()));
});

test('a tap opens the row under the finger, also while the page still loads, and new rows come only on request', async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const phone = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true };
  const all = await Promise.all(
    ['/app/tokens', '/app', '/app/tokens'].map(async (where, _, { length }) => {
      const page = await newPage(browser, phone);
      await page.route('**/api/**', async (route) => {
        await new Promise((done) => setTimeout(done, Math.random() * SLOWEST_RESPONSE));
        await route.continue();
      });
      const rounds = 2;
      const outcomes: Outcome[] = [];
      for (let round = 0; round < rounds; round += 1) {
        await show(page, where);
        outcomes.push(...(await repeat(TAPS / length / rounds, TIME_FOR_TRIALS / rounds, () => tapOnce(page))));
        const first = await rows(page).first().getAttribute('data-address');
        await page.getByRole('button', { name: /^[\d,]+\+? new$/ }).tap();
        await expect(rows(page).first()).not.toHaveAttribute('data-address', first ?? '');
      }
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.context().close();
      return outcomes;
    }),
  );
  expectAimed(all.flat(), TAPS);
});

test('with the pointer away rows keep coming, in batches, and nothing shifts', async ({ browser }) => {
  const page = await newPage(browser);
  await show(page, '/app/tokens');
  await page.mouse.move(home.x, home.y);
  await untilMoved(page);
  const burst = await page.evaluate(async () => {
    const body = document.querySelector('tr[data-address]')?.parentElement;
    if (!body) throw new Error('no rows');
    let shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) shift += Number(entry.value);
    }).observe({ type: 'layout-shift' });
    const times: number[] = [];
    let first = body.firstElementChild;
    await new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        if (body.firstElementChild === first) return;
        first = body.firstElementChild;
        times.push(performance.now());
        if (times.length < 5) return;
        observer.disconnect();
        resolve();
      });
      observer.observe(body, { childList: true });
    });
    return { shift, seconds: ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000 };
  });
  test.info().annotations.push({ type: 'burst', description: JSON.stringify(burst) });
  // Four seconds between five batches, less the time that the machine took to show the first.
  expect(burst.seconds).toBeGreaterThanOrEqual(3);
  expect(burst.shift).toBeLessThanOrEqual(0.1);
  await page.context().close();
});
