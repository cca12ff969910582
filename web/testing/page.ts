import { screen } from '@testing-library/react';
import type { Call } from '../../common/http.ts';
import type { FakeServer, Received } from './fake-server.ts';

export const USER_ID = '6650000000000000000000aa';

/** A document id. */
export function id(number: number): string {
  return number.toString(16).padStart(24, '0');
}

/** Request bodies that an address received, oldest first. */
export function sent(server: FakeServer, method: string, path: string): Received['body'][] {
  return server.requests.filter((one) => one.method === method && one.path === path).map(({ body }) => body);
}

/** Leaves requests of `call` pending until the returned function is called with the response. */
export function holdResponse(server: FakeServer, call: Call): (response: Response) => void {
  let release = (_response: Response): void => undefined;
  server.reply(
    call,
    () =>
      new Promise((resolve) => {
        release = resolve;
      }),
  );
  return (response) => release(response);
}

/** The card with that heading. */
export function card(name: string): HTMLElement {
  return screen.getByRole('article', { name });
}

/** Waits for the toast with that title. */
export async function findToast(title: string): Promise<HTMLElement> {
  const toast = (await screen.findByText(title)).closest<HTMLElement>('[data-toast]');
  if (toast === null) throw new Error(`"${title}" is not in a toast`);
  return toast;
}

/** Texts of the cells of a table row. */
export function cellTexts(row: HTMLElement | undefined): (string | null)[] {
  return [...(row?.querySelectorAll('td, th') ?? [])].map(({ textContent }) => textContent);
}
