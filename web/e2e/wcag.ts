import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

interface Look {
  theme: 'dark' | 'light';
  size: { width: number; height: number };
}

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 360, height: 780 };

/** Each theme at one size: enough to check all colours and the narrow layout once. */
export const looks: readonly Look[] = [
  { theme: 'dark', size: WIDE },
  { theme: 'light', size: NARROW },
];

/** The other theme at each size, where nothing but colours can have changed. */
const recoloured: readonly Look[] = [
  { theme: 'light', size: WIDE },
  { theme: 'dark', size: NARROW },
];
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Rows after these repeat them, and a check of a page takes as long as it has elements. */
const REPEATED_ROWS = 'tr[data-address]:nth-child(n+9)';

/** Shows the open page in a theme and at a size, without loading it again. */
export async function showLook(page: Page, { theme, size }: Look): Promise<void> {
  await page.setViewportSize(size);
  // As a choice in another tab arrives. It also holds for pages that are loaded later.
  await page.evaluate((chosen) => {
    localStorage.setItem('ui-theme', chosen);
    window.dispatchEvent(new StorageEvent('storage', { key: 'ui-theme', newValue: chosen }));
  }, theme);
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
}

/** Checks a page, or only the part of it that has changed since a check of the whole, by all rules or by some. */
export async function expectNoViolations(page: Page, part?: string, rules?: string[]): Promise<void> {
  // Loading axe again takes as long as a small check.
  const isLoaded = await page.evaluate(() => 'axe' in window);
  // Without frames of other origins the page itself can collect the result; otherwise each check opens one more page.
  const axe = new AxeBuilder(isLoaded ? { page, axeSource: ';' } : { page }).setLegacyMode().exclude(REPEATED_ROWS);
  // Describing every element that has passed takes longer than the check.
  axe.options({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  const { violations } = await (part === undefined ? axe : axe.include(part)).analyze();
  expect(
    violations.map(({ id, nodes }) => ({ id, where: nodes.map((node) => [node.html, node.failureSummary]) })),
  ).toEqual([]);
  // A list measures its rows again after a change of the width.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
    .toBeLessThanOrEqual(0);
}

/** Checks the open page, or a part of it, in each theme at one size. */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  for (const look of looks) {
    await showLook(page, look);
    await expectNoViolations(page, part);
  }
}

/** Checks the open page, or a part of it, in both themes at both sizes. */
export async function expectAccessibleInAllLooks(page: Page, part?: string): Promise<void> {
  await expectAccessible(page, part);
  for (const look of recoloured) {
    await showLook(page, look);
    await expectNoViolations(page, part, colourRules);
  }
}
