import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { expect, test } from 'vitest';
import { Link, Route, Switch, useParams } from 'wouter';
import { PAGE_CONTENT_ID, usePageTitle } from '../../layout/page-title.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { useFocusReturn, useOrderKeeper, useReturnRow } from './list-order.ts';

const coins = ['a', 'b', 'c'];

function List({ name }: { name: string }) {
  const element = useRef<HTMLElement>(null);
  useFocusReturn({ list: name, element, rows: coins });
  return (
    <section ref={element} aria-label={name} {...useOrderKeeper(name, coins)}>
      {coins.map((coin) => (
        <div key={coin} data-address={coin}>
          <Link href={`/app/tokens/${coin}`} data-row-link="">
            {`${name} ${coin}`}
          </Link>
        </div>
      ))}
    </section>
  );
}

function Lists() {
  usePageTitle('Tokens');
  return ['New', 'Migrated'].map((name) => <List key={name} name={name} />);
}

function Coin() {
  usePageTitle('Token');
  const { address = '' } = useParams();
  return (
    <div {...useReturnRow(address)}>
      <Link href="/app/tokens">Back</Link>
      <Link href="/app/tokens/c">Next</Link>
    </div>
  );
}

const open = () =>
  renderWithApp(
    <main id={PAGE_CONTENT_ID} tabIndex={-1}>
      <Switch>
        <Route path="/app/tokens" component={Lists} />
        <Route path="/app/tokens/:address" component={Coin} />
      </Switch>
    </main>,
    { path: '/app/tokens' },
  );

/** Presses a link with the Enter key. */
async function enter(name: string): Promise<void> {
  (await screen.findByRole('link', { name })).focus();
  await userEvent.keyboard('{Enter}');
}

test('the focus goes by key into a coin, and back to its row in the list that it was opened from', async () => {
  open();
  expect(document.body).toHaveFocus();
  await enter('Migrated b');
  expect(await screen.findByRole('link', { name: 'Back' })).toBeVisible();
  expect(screen.getByRole('main')).toHaveFocus();
  await enter('Back');
  await waitFor(() => expect(screen.getByRole('link', { name: 'Migrated b' })).toHaveFocus());
});

test('the focus comes back to the row of the coin that was shown last', async () => {
  open();
  await enter('New a');
  await enter('Next');
  await enter('Back');
  await waitFor(() => expect(screen.getByRole('link', { name: 'New c' })).toHaveFocus());
});

test.each([
  ['opened', 'click', 'key'],
  ['left', 'key', 'click'],
])('a coin that was %s by mouse leaves its row without the focus, which would hold the list', async (_, into, back) => {
  open();
  const press = async (how: string, name: string) =>
    how === 'key' ? enter(name) : userEvent.click(await screen.findByRole('link', { name }));
  await press(into, 'New b');
  await press(back, 'Back');
  const link = await screen.findByRole('link', { name: 'New b' });
  await act(() => new Promise(requestAnimationFrame));
  expect(link).not.toHaveFocus();
});
