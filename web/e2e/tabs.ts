import { test as base, type Page } from '@playwright/test';

/**
 * `otherTab` opens another page of the same visitor in a new window. Of two tabs in one window the browser draws only
 * one, and a click in the other waits a second for every frame.
 */
export const test = base.extend<{ otherTab: () => Promise<Page> }>({
  otherTab: async ({ browser, context }, provide) => {
    const opened: Page[] = [];
    await provide(async () => {
      const own = await browser.newContext({ storageState: await context.storageState() });
      const page = await own.newPage();
      opened.push(page);
      return page;
    });
    for (const page of opened) await page.context().close();
  },
});
