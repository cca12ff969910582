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
