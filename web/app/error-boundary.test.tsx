import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ErrorBoundary } from './error-boundary.tsx';

function Page({ path }: { path: string }) {
  if (path === '/broken') throw new Error('This page is broken.');
  return <input aria-label={path} />;
}

const at = (path: string) => (
  <ErrorBoundary path={path}>
    <Page path={path} />
  </ErrorBoundary>
);

test('a page that failed does not hide the next one, and a step between pages keeps the focus', () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const { rerender } = render(at('/broken'));
  expect(screen.getByText('This page could not be shown')).toBeVisible();
  rerender(at('/one'));
  const field = screen.getByLabelText('/one');
  field.focus();
  rerender(at('/two'));
  expect(screen.getByLabelText('/two')).toBe(field);
  expect(field).toHaveFocus();
});

test('a page that failed without a network says so, and is loaded when it is back', () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue();
  render(at('/broken'));
  expect(screen.getByText('There is no network. The page loads when it is back.')).toBeVisible();
  window.dispatchEvent(new Event('online'));
  expect(reload).toHaveBeenCalledOnce();
});
