import { act, fireEvent, render, screen } from '@testing-library/react';
import { useToasterStore } from 'react-hot-toast/headless';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { passTime } from '../testing/settle.ts';
import { Toaster } from './toast.tsx';
import { dismissToast, type ToastMessage, toast } from './toast-store.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Number of toasts in the store, dismissed ones included. */
function Stored() {
  return <p>stored: {useToasterStore().toasts.length}</p>;
}

function show(message: ToastMessage): string {
  let id = '';
  act(() => {
    id = toast(message);
  });
  return id;
}

const card = (title: string) => screen.getByText(title).closest('[data-toast]') ?? document.body;
const region = () => screen.getByRole('region', { name: 'Notifications (F8)' });

test('shows only 1 toast at a time, the newest [S9-05]', () => {
  render(<Toaster />);
  show({ title: 'First' });
  show({ title: 'Second', description: 'with more' });
  expect(screen.queryByText('First')).toBeNull();
  expect(screen.getByText('Second')).toBeVisible();
  expect(screen.getByText('with more')).toBeVisible();
});

test('a toast stays for 5000 ms [S9-05]', () => {
  render(<Toaster />);
  show({ title: 'Hello' });
  passTime(4999);
  expect(screen.getByText('Hello')).toBeVisible();
  passTime(1);
  expect(screen.queryByText('Hello')).toBeNull();
});

test('a dismissed toast is removed after 1,000,000 ms [S9-06]', () => {
  render(<Toaster />);
  render(<Stored />);
  const id = show({ title: 'Hello' });
  act(() => dismissToast(id));
  expect(screen.queryByText('Hello')).toBeNull();
  passTime(999_999);
  expect(screen.getByText('stored: 1')).toBeVisible();
  passTime(1);
  expect(screen.getByText('stored: 0')).toBeVisible();
});

test.each([
  ['its button', () => fireEvent.click(screen.getByRole('button', { name: 'Close' }))],
  ['Escape', () => fireEvent.keyDown(document.body, { key: 'Escape' })],
])('%s dismisses a toast [S9-06]', (_, dismiss) => {
  render(<Toaster />);
  show({ title: 'Hello' });
  dismiss();
  expect(screen.queryByText('Hello')).toBeNull();
});

test('F8 focuses the notification region [S9-07]', () => {
  render(<Toaster />);
  show({ title: 'Hello' });
  expect(region()).toHaveTextContent('Hello');
  expect(region()).not.toHaveFocus();
  fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
  expect(region()).toHaveFocus();
});

test('closing a toast that has the focus leaves the focus in the region', () => {
  render(<Toaster />);
  show({ title: 'Hello' });
  const close = screen.getByRole('button', { name: 'Close' });
  act(() => close.focus());
  fireEvent.click(close);
  expect(region()).toHaveFocus();
});

test.each([
  [{ title: 'Saved' }, 'default', 'polite'],
  [{ title: 'Login failed', variant: 'destructive' }, 'destructive', 'assertive'],
] as const)('%o is announced by a live region that was there before it [S8.2-07]', (message, variant, live) => {
  render(<Toaster />);
  const regions = [...region().querySelectorAll('[aria-live]')];
  expect(regions.map((one) => one.getAttribute('aria-live'))).toEqual(['polite', 'assertive']);
  show(message);
  expect(card(message.title)).toHaveAttribute('data-variant', variant);
  const filled = regions.filter((one) => one.contains(card(message.title)));
  expect(filled.map((one) => one.getAttribute('aria-live'))).toEqual([live]);
  expect([...region().querySelectorAll('[aria-live]')]).toEqual(regions);
});

test.each([
  ['the pointer is over it', () => fireEvent.pointerMove(card('Hello')), () => fireEvent.pointerLeave(region())],
  ['it has the focus', () => fireEvent.keyDown(document, { key: 'F8' }), () => act(() => region().blur())],
  ['the window is in the background', () => fireEvent.blur(window), () => fireEvent.focus(window)],
])('the time stands still while %s', (_, hold, release) => {
  render(<Toaster />);
  show({ title: 'Hello' });
  passTime(4_000);
  hold();
  passTime(60_000);
  expect(screen.getByText('Hello')).toBeVisible();
  release();
  passTime(999);
  expect(screen.getByText('Hello')).toBeVisible();
  passTime(1);
  expect(screen.queryByText('Hello')).toBeNull();
});

test('a toast that appears while the window is in the background stays for 5000 ms after its return', () => {
  render(<Toaster />);
  fireEvent.blur(window);
  passTime(60_000);
  show({ title: 'Hello' });
  passTime(60_000);
  expect(screen.getByText('Hello')).toBeVisible();
  fireEvent.focus(window);
  passTime(5_000);
  expect(screen.queryByText('Hello')).toBeNull();
});

test('a toast that replaces a held one is gone 5 s after it is released, in an element of its own [S9-05]', () => {
  render(<Toaster />);
  show({ title: 'First' });
  const first = card('First');
  fireEvent.blur(window);
  passTime(60_000);
  show({ title: 'Second' });
  expect(card('Second')).not.toBe(first);
  fireEvent.focus(window);
  passTime(4_999);
  expect(screen.queryByText('Second')).not.toBeNull();
  passTime(1);
  expect(screen.queryByText('Second')).toBeNull();
});
