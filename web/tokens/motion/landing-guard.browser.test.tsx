import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { address } from '../../live/testing/build.ts';
import type { Rendered } from '../../testing/render.tsx';
import { arm, disarm } from '../../trading/quick/armed.ts';
import { listSetsAtom } from '../../watchlists/lists.ts';
import { elsewhere, entry } from '../../watchlists/testing/own-lists.ts';
import { aged, answer, listServer, names, shown } from '../testing/list-page.tsx';
import { LANDING_MS } from './placements.ts';

const rest = listServer();

beforeEach(() => {
  answer(rest, [aged(1), aged(2), aged(3), aged(4)]);
});
afterEach(() => page.viewport(1280, 800));

async function open(): Promise<Rendered> {
  const rendered = await shown();
  await waitFor(() => expect(names()).toHaveLength(4));
  return rendered;
}

const rowOf = (number: number) => document.querySelector(`tr[data-address="${address(number)}"]`) ?? document.body;

/** Presses the middle of a row with a mouse at a time of the page's clock, ms. Returns whether the row opened. */
function opens(rendered: Rendered, number: number, at: number): boolean {
  const link = rowOf(number).querySelector('[data-row-link]') ?? document.body;
  const { left, top, height } = rowOf(number).getBoundingClientRect();
  const where = { bubbles: true, clientX: left + 80, clientY: top + height / 2 };
  const press = new PointerEvent('pointerdown', { ...where, pointerType: 'mouse' });
  Object.defineProperty(press, 'timeStamp', { value: at });
  rendered.navigate('/app/tokens');
  fireEvent(link, press);
  fireEvent.click(link, { ...where, detail: 1 });
  return rendered.path() === `/app/tokens/${address(number)}`;
}

const now = () => performance.now();
/** A time after every guard, ms from now. */
const LATER = 10_000;
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Adds a part of the page above the list, as one that loads late. */
function pushDown(rendered: Rendered): void {
  const part = document.createElement('div');
  part.style.height = '100px';
  rendered.container.prepend(part);
}

test('a row that a late part of the page has moved under the pointer does not open for a moment', async () => {
  const rendered = await open();
  expect(opens(rendered, 2, now() + LATER)).toBe(true);
  pushDown(rendered);
  expect(opens(rendered, 2, now())).toBe(false);
  expect(screen.getByText(/^List moved. Click again to open/)).toHaveTextContent('List moved. Click again to open T2.');
  expect(opens(rendered, 2, now() + LATER)).toBe(true);
});

test('the moment counts from the move, not from the press', async () => {
  const rendered = await open();
  pushDown(rendered);
  // An observer of sizes runs after the layout of a frame.
  await frame();
  await frame();
  const noticed = now();
  await frame();
  expect(opens(rendered, 2, noticed + LANDING_MS)).toBe(true);
});

test('a row does not open that came up because the row above it was blacklisted in another tab', async () => {
  const rendered = await open();
  // The row moves after this time, however long that takes.
  const before = now();
  act(() => elsewhere(rendered.store, 'saved', entry('black', 2)));
  await waitFor(() => expect(names()).toEqual(['Token 1', 'Token 3', 'Token 4']));
  expect(opens(rendered, 3, before + LANDING_MS - 1)).toBe(false);
  expect(opens(rendered, 3, now() + LATER)).toBe(true);
});

test('on a phone a row does not open that moved because quick trade switched itself off', async () => {
  await page.viewport(360, 780);
  const rendered = await open();
  const height = () => Math.round(rowOf(1).getBoundingClientRect().height);
  act(() => arm(rendered.store));
  await waitFor(() => expect(height()).toBe(108));
  const before = now();
  act(() => disarm(rendered.store));
  await waitFor(() => expect(height()).toBe(64));
  expect(opens(rendered, 3, before + LANDING_MS - 1)).toBe(false);
  expect(opens(rendered, 3, now() + LATER)).toBe(true);
});

/** Sends an event of a finger, `by` px to the right of where it began. */
function touch(type: string, number: number, by: number, init: PointerEventInit = {}): void {
  const { left, top, height } = rowOf(number).getBoundingClientRect();
  const where = { bubbles: true, clientX: left + 80 + by, clientY: top + height / 2 };
  fireEvent(rowOf(number), new PointerEvent(type, { ...where, pointerType: 'touch', isPrimary: true, ...init }));
}

const movedBy = (number: number) =>
  rowOf(number) instanceof HTMLElement ? getComputedStyle(rowOf(number)).translate : '';

test('a row that has only just come up is not swiped', async () => {
  await page.viewport(360, 780);
  const rendered = await open();
  pushDown(rendered);
  touch('pointerdown', 2, 0);
  touch('pointermove', 2, 40);
  expect(movedBy(2)).toBe('none');
  touch('pointerup', 2, 40);
});

test('a second finger ends a swipe', async () => {
  await page.viewport(360, 780);
  const rendered = await open();
  await waitFor(() => expect(rendered.store.get(listSetsAtom)).not.toBeNull());
  touch('pointerdown', 2, 0);
  touch('pointermove', 2, 40);
  expect(movedBy(2)).toBe('40px');
  expect(screen.getByText('Watch')).toBeVisible();
  touch('pointerdown', 3, 0, { pointerId: 2, isPrimary: false });
  await waitFor(() => expect(movedBy(2)).toBe('none'));
  await waitFor(() => expect(screen.queryByText('Watch')).toBeNull());
  touch('pointerup', 2, 120);
  expect(movedBy(2)).toBe('none');
});
