import { type BrowserContext, test as base, type Page } from '@playwright/test';

/**
 * Switches off the tint of changed figures, which list-page-updates.full.browser.test.tsx tests. It has the browser draw 60
 * frames a second for most of the time that a list is open: two thirds of what such a page costs without a GPU.
 */
async function withoutTints(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('.animate-tint::before { animation: none; }');
    document.adoptedStyleSheets = [still];
  });
}

/**
 * Opens another page of the open app by its router, as a link does: loading the app again costs several times as much. Returns
 * before the page has its data; caches, toasts and the pointer stay.
 */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), path);
}

/**
 * `otherTab` opens another page of the same visitor in a new window. Of two tabs in one window the browser draws only
 * one, and a click in the other waits a second for every frame.
 */
export const test = base.extend<{ otherTab: () => Promise<Page> }>({
  context: async ({ context }, provide) => {
    await withoutTints(context);
    await provide(context);
  },
  otherTab: async ({ browser, context }, provide) => {
    const opened: Page[] = [];
    await provide(async () => {
      const own = await browser.newContext({ storageState: await context.storageState() });
      await withoutTints(own);
      const page = await own.newPage();
      opened.push(page);
      return page;
    });
    for (const page of opened) await page.context().close();
  },
});
