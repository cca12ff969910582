import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { passTime } from '../testing/settle.ts';
import { Toaster } from './toast.tsx';
import { clearToasts, currentToasts, dismissToast, toast } from './toast-store.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  clearToasts();
  vi.useRealTimers();
});

test('only 1 toast is shown at a time: the newest [S9-05]', () => {
  render(<Toaster />);
  act(() => {
    toast({ title: 'First' });
  });
  act(() => {
    toast({ title: 'Second', description: 'with more' });
  });
  expect(screen.queryByText('First')).toBeNull();
  expect(screen.getByText('Second')).toBeVisible();
  expect(screen.getByText('with more')).toBeVisible();
});

test('a toast stays for 5000 ms [S9-05]', () => {
  render(<Toaster />);
  act(() => {
    toast({ title: 'Hello' });
  });
  passTime(4999);
  expect(screen.getByText('Hello')).toBeVisible();
  passTime(1);
  expect(screen.queryByText('Hello')).toBeNull();
});

test('a dismissed toast is removed after 1,000,000 ms [S9-06]', () => {
  const id = toast({ title: 'Hello' });
  dismissToast(id);
  expect(currentToasts()).toMatchObject([{ id, open: false }]);
  vi.advanceTimersByTime(999_999);
  expect(currentToasts()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(currentToasts()).toHaveLength(0);
});

test('closing one by its button dismisses it [S9-06]', () => {
  render(<Toaster />);
  act(() => {
    toast({ title: 'Hello' });
  });
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('Hello')).toBeNull();
  expect(currentToasts()).toMatchObject([{ open: false }]);
});

test('F8 focuses the notification region [S9-07]', () => {
  render(<Toaster />);
  act(() => {
    toast({ title: 'Hello' });
  });
  const list = screen.getByText('Hello').closest('ol');
  expect(list).not.toHaveFocus();
  fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
  expect(list).toHaveFocus();
});

test('a destructive toast is told apart and announced at once [S8.2-07]', () => {
  render(<Toaster />);
  act(() => {
    toast({ title: 'Login failed', variant: 'destructive' });
  });
  expect(screen.getByText('Login failed').closest('li')).toHaveAttribute('data-variant', 'destructive');
});
