import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { FakeServer } from '../../testing/fake-server.ts';
import { findToast } from '../../testing/page.ts';
import { openWith } from './strategies-page.tsx';

/** Values of fields by their label, in the order in which they are filled in. */
type Values = Readonly<Record<string, string>>;

/** Opens the page without strategies and its form, and fills in fields. */
export async function openForm(server: FakeServer, values: Values = {}): Promise<void> {
  await openWith(server);
  await userEvent.click(screen.getByRole('tab', { name: 'Create Strategy' }));
  await fill(values);
}

/** Fills in fields: replaces a text, or selects an option of a list. */
export async function fill(values: Values): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    const field = screen.getByLabelText(label);
    await (field.matches('input, textarea') ? type(field, value) : choose(field, value));
  }
}

async function type(field: HTMLElement, text: string): Promise<void> {
  await userEvent.clear(field);
  // Pasted, since typing would render this large form once per key.
  if (text !== '') await userEvent.paste(text);
}

async function choose(list: HTMLElement, option: string): Promise<void> {
  await userEvent.click(list);
  // Within the list, since a query by role computes the style of every hidden option of the page.
  await userEvent.click(within(screen.getByRole('listbox')).getByRole('option', { name: option }));
}

/** Fills in fields and presses Create Strategy. */
export async function submit(values: Values): Promise<void> {
  await fill(values);
  await userEvent.click(screen.getByRole('button', { name: 'Create Strategy' }));
}

/** Submits the form with these fields and waits for the toast of its success. */
export async function create(values: Values): Promise<HTMLElement> {
  await submit(values);
  return findToast('Strategy created');
}
