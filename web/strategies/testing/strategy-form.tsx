import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { USER_ID } from '../../testing/page.ts';
import { type Rendered, renderWithApp, sessionUser } from '../../testing/render.tsx';
import StrategiesPage from '../strategies-page.tsx';

/** Opens the page with its form. */
export async function openForm(): Promise<Rendered> {
  const rendered = renderWithApp(<StrategiesPage />, {
    path: '/app/auto-buy-strategies',
    session: sessionUser({ id: USER_ID }),
  });
  await userEvent.click(screen.getByRole('tab', { name: 'Create Strategy' }));
  return rendered;
}

/** Replaces the value of a field. */
export async function type(label: string, text: string): Promise<void> {
  const field = screen.getByLabelText(label);
  await userEvent.clear(field);
  // Pasted, since typing would render this large form once per key.
  if (text !== '') await userEvent.paste(text);
}

/** Selects an option of a list. */
export async function choose(label: string, option: string): Promise<void> {
  await userEvent.click(screen.getByLabelText(label));
  // Within the list, since a query by role computes the style of every hidden option of the page.
  await userEvent.click(within(screen.getByRole('listbox')).getByRole('option', { name: option }));
}
