import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { USER_ID } from '../../auto-buy/testing/kept.ts';
import { type Rendered, renderWithApp, sessionUser } from '../../testing/render.tsx';
import StrategiesPage from '../strategies-page.tsx';

/** The page with its form open. */
export async function openForm(): Promise<Rendered> {
  const rendered = renderWithApp(<StrategiesPage />, {
    path: '/app/auto-buy-strategies',
    session: sessionUser({ id: USER_ID }),
  });
  await userEvent.click(screen.getByRole('tab', { name: 'Create Strategy' }));
  return rendered;
}

/** Types into a field in place of what was there. */
export async function type(label: string, text: string): Promise<void> {
  const field = screen.getByLabelText(label);
  await userEvent.clear(field);
  // At once: a key at a time would cost this large form a render each.
  if (text !== '') await userEvent.paste(text);
}

/** Chooses from a list. */
export async function choose(label: string, option: string): Promise<void> {
  await userEvent.click(screen.getByLabelText(label));
  await userEvent.click(screen.getByRole('option', { name: option }));
}
