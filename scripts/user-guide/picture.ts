import { expect, type Locator, type Page } from '@playwright/test';

/** The user of a window: an active one, a new one, an administrator, or a visitor without a session. */
export type Viewer = 'user' | 'newcomer' | 'admin' | 'visitor';

/** A part of the window, px. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The area of a picture other than the page without menu and header: the whole window, or a part of it. */
type Frame = 'window' | Box | ((page: Page) => Locator);

export interface Picture {
  name: string;
  /** Default: an active user. */
  viewer?: Viewer;
  path: string;
  /** Default: the page without menu and header. */
  frame?: Frame;
  /** Opens the parts that are closed at first, and waits until the content is visible. */
  prepare(page: Page): Promise<void>;
  /** px; default: that of most laptops. */
  windowHeight?: number;
  /** For a part: its height and its margin, px. */
  rows?: number;
  margin?: number;
}

/** Waits until the first of the matching elements is visible. */
export const visible = (locator: Locator) => expect(locator.first()).toBeVisible({ timeout: 30_000 });
/** The part of a page with this accessible name. */
export const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
