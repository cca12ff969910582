import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { expect, test } from 'vitest';
import { Link, Route, Switch } from 'wouter';
import { PAGE_CONTENT_ID, usePageTitle } from '../../layout/page-title.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { useFocusReturn, useOrderKeeper } from './list-order.ts';

const coins = ['a', 'b', 'c'];

function List() {
  usePageTitle('Tokens');
  const list = useRef<HTMLDivElement>(null);
  useFocusReturn(list);
  return (
    <div ref={list} {...useOrderKeeper(coins)}>
      {coins.map((coin) => (
        <div key={coin} data-address={coin}>
          <Link href={`/app/tokens/${coin}`} data-row-link="">
            {coin}
          </Link>
        </div>
      ))}
    </div>
  );
}

function Coin() {
  usePageTitle('Token');
  return <Link href="/app/tokens">Back</Link>;
}

const open = () =>
  renderWithApp(
    <main id={PAGE_CONTENT_ID} tabIndex={-1}>
      <Switch>
        <Route path="/app/tokens" component={List} />
        <Route component={Coin} />
      </Switch>
    </main>,
    { path: '/app/tokens' },
  );

test('the focus goes with the keyboard into a coin, and back to its row', async () => {
  open();
  expect(document.body).toHaveFocus();
  screen.getByRole('link', { name: 'b' }).focus();
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('link', { name: 'Back' })).toBeVisible();
  expect(screen.getByRole('main')).toHaveFocus();
  screen.getByRole('link', { name: 'Back' }).focus();
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('link', { name: 'b' })).toHaveFocus();
});

test('a coin opened by mouse leaves its row without the focus, which would hold the list', async () => {
  open();
  await userEvent.click(screen.getByRole('link', { name: 'b' }));
  await userEvent.click(await screen.findByRole('link', { name: 'Back' }));
  expect(await screen.findByRole('link', { name: 'b' })).not.toHaveFocus();
});
