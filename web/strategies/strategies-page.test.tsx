import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { strategyCalls } from '../../common/strategies/http.ts';
import { walletCalls } from '../../common/wallet/http.ts';
import { serveStrategies, strategy } from '../auto-buy/testing/fixtures.ts';
import { queryClientAtom } from '../store.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { card, findToast, holdResponse, id, sent, USER_ID } from '../testing/page.ts';
import { applyUserData } from '../users/user-cache.ts';
import { openPage, openWith } from './testing/strategies-page.tsx';

const server = fakeServerPerTest();

const path = `/api/buying-strategies/${id(1)}`;
const button = (name: string) => within(card('Strategy 1')).getByRole('button', { name });

/** Presses Delete on the first card, then a button of the question. */
async function pressDelete(answer: string): Promise<void> {
  await userEvent.click(button('Delete'));
  const question = screen.getByRole('alertdialog', { name: 'Are you sure you want to delete this strategy?' });
  await userEvent.click(within(question).getByRole('button', { name: answer }));
}

test('has the tabs Overview and Create Strategy [S2.10-01]', async () => {
  await openWith(server);
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Overview', 'Create Strategy']);
  expect(screen.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true');
});

test('Overview shows the loading state, then the empty state with a button to the form [S2.10-02]', async () => {
  serveStrategies(server);
  const respond = holdResponse(server, strategyCalls.list);
  openPage();
  expect(await screen.findByRole('status')).toHaveTextContent('Loading strategies…');
  act(() => respond(json([])));
  expect(await screen.findByText('No Strategies')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Create Your First Strategy' }));
  expect(screen.getByRole('tab', { name: 'Create Strategy' })).toHaveAttribute('aria-selected', 'true');
  expect(screen.getByLabelText('Name')).toBeVisible();
});

test('shows an error with a retry button when strategies fail to load', async () => {
  serveStrategies(server);
  server.fail(strategyCalls.list, 'unavailable');
  openPage();
  expect(await screen.findByText('Strategies could not be loaded')).toBeVisible();
  server.answer(strategyCalls.list, [strategy(1)]);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('article', { name: 'Strategy 1' })).toBeVisible();
});

test('a card has name, type, badge, description, figures and a sentence [S2.10-04, S2.10-05]', async () => {
  await openWith(
    server,
    strategy(1, {
      type: 'price_based',
      description: 'After a rise',
      buyAmount: 0.05,
      minLiquidity: 2.5,
      maxScamProbability: 40,
      maxSlippage: 3,
      stopLoss: 10,
      takeProfit: 20,
      configuration: { priceConfig: { option: 'buy_at_uptrend', trendPercentage: 15, trendDuration: 90 } },
    }),
    strategy(2, { isActive: false }),
  );
  const full = within(card('Strategy 1'));
  expect(full.getByText('Price based')).toBeVisible();
  expect(full.getByText('Active')).toBeVisible();
  expect(full.getByText('After a rise')).toBeVisible();
  for (const [label, value] of [
    ['Buy Amount', '0.05 SOL'],
    ['Min Liquidity', '2.5 SOL'],
    ['Max Scam Probability', '40%'],
    ['Max Slippage', '3%'],
    ['Stop Loss', '10%'],
    ['Take Profit', '20%'],
  ] as const) {
    expect(full.getByText(label).nextElementSibling).toHaveTextContent(value);
  }
  expect(
    full.getByText(/^Buys 0\.05 SOL of a token as soon as its price has risen 15% within 90 s, if /),
  ).toBeVisible();
  // Limits that are not set are left out.
  expect([...card('Strategy 2').querySelectorAll('dt')].map((term) => term.textContent)).toEqual([
    'Buy Amount',
    'Max Slippage',
  ]);
  expect(within(card('Strategy 2')).getByText('Inactive')).toBeVisible();
});

test('Activate and Deactivate toggle, and inactive cards are dimmed [S2.10-06, S4-13, S7.2-07, S8.5-06, S8.5-07]', async () => {
  const { strategies } = await openWith(server, strategy(1));
  expect(card('Strategy 1')).toHaveAttribute('data-dimmed', 'false');
  await userEvent.click(button('Deactivate'));
  expect(await findToast('Strategy deactivated')).toHaveTextContent('Strategy has been deactivated successfully');
  expect(card('Strategy 1')).toHaveAttribute('data-dimmed', 'true');
  await userEvent.click(button('Activate'));
  expect(await findToast('Strategy activated')).toHaveTextContent('Strategy has been activated successfully');
  expect(card('Strategy 1')).toHaveAttribute('data-dimmed', 'false');
  expect(sent(server, 'PATCH', path)).toEqual([{ isActive: false }, { isActive: true }]);
  expect(strategies[0]?.isActive).toBe(true);
});

test('a failed toggle shows an error and changes nothing [S8.5-03]', async () => {
  await openWith(server, strategy(1));
  server.fail(strategyCalls.update, 'internal');
  await userEvent.click(button('Deactivate'));
  const toast = await findToast('Error');
  expect(toast).toHaveTextContent('Failed to update strategy status');
  expect(toast).toHaveAttribute('data-variant', 'destructive');
  expect(button('Deactivate')).toBeEnabled();
});

test('Delete asks the question of the specification, then removes the strategy [S5-24, S8.5-08]', async () => {
  const { strategies } = await openWith(server, strategy(1));
  await pressDelete('Cancel');
  expect(strategies).toHaveLength(1);
  await pressDelete('Delete');
  expect(await findToast('Strategy deleted')).toHaveTextContent('Strategy has been deleted successfully');
  expect(await screen.findByText('No Strategies')).toBeVisible();
  expect(strategies).toHaveLength(0);
});

test('a failed delete shows an error and keeps the strategy [S8.5-04]', async () => {
  await openWith(server, strategy(1));
  server.fail(strategyCalls.remove, 'internal');
  await pressDelete('Delete');
  expect(await findToast('Error')).toHaveTextContent('Failed to delete strategy');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(card('Strategy 1')).toBeVisible();
});

test('refetches the list after each change [S7.2-09]', async () => {
  const { strategies } = await openWith(server, strategy(1));
  expect(server.count(strategyCalls.list)).toBe(1);
  // Created elsewhere, so only a refetch can show it.
  strategies.push(strategy(2));
  await userEvent.click(button('Deactivate'));
  expect(await screen.findByRole('article', { name: 'Strategy 2' })).toBeVisible();
  expect(server.count(strategyCalls.list)).toBe(2);
  strategies.push(strategy(3));
  await pressDelete('Delete');
  expect(await screen.findByRole('article', { name: 'Strategy 3' })).toBeVisible();
  expect(server.count(strategyCalls.list)).toBe(3);
});

test('changes in other tabs appear at once [S2.10-03]', async () => {
  const { store } = await openWith(server, strategy(1));
  const client = store.get(queryClientAtom);
  const item = strategy(1, { isActive: false });
  act(() => applyUserData(client, USER_ID, { subject: 'strategies', op: 'saved', item }));
  await waitFor(() => expect(button('Activate')).toBeVisible());
  act(() => applyUserData(client, USER_ID, { subject: 'strategies', op: 'deleted', item: { id: id(1) } }));
  expect(await screen.findByText('No Strategies')).toBeVisible();
});

test('shows that a wallet is required', async () => {
  serveStrategies(server);
  server.answer(walletCalls.get, { walletAddress: null, hasKey: false, savedAt: null });
  openPage();
  expect(await screen.findByText('A wallet must be configured in settings before strategies can run.')).toBeVisible();
});
