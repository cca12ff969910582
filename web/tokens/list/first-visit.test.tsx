import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { renderWithApp } from '../../testing/render.tsx';
import { FirstVisit } from './first-visit.tsx';

afterEach(() => localStorage.clear());

test('the first steps are shown until they are dismissed on this device', async () => {
  const first = renderWithApp(<FirstVisit />);
  expect(screen.getByText('Rows arrive by themselves. Hover to hold them.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss first steps' }));
  expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull();
  first.unmount();
  renderWithApp(<FirstVisit />);
  expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull();
});
