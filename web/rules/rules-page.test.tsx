import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ruleCalls } from '../../common/rules/http.ts';
import { walletCalls } from '../../common/wallet/http.ts';
import { rule, serveRules, walletWithKey } from '../auto-buy/testing/fixtures.ts';
import { queryClientAtom } from '../store.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { card, findToast, holdResponse, id, sent, USER_ID } from '../testing/page.ts';
import { applyUserData } from '../users/user-cache.ts';
import { openPage, openWith } from './testing/rules-page.tsx';

const server = fakeServerPerTest();

/** Presses Delete on the first card, then a button of the question. */
async function pressDelete(answer: string): Promise<void> {
  await userEvent.click(within(card('Rule 1')).getByRole('button', { name: 'Delete' }));
  const question = screen.getByRole('alertdialog', { name: 'Delete this rule?' });
  await userEvent.click(within(question).getByRole('button', { name: answer }));
}

test("the subtitle is 'Create automatic purchase rules for tokens' [S2.9-01]", async () => {
  await openWith(server);
  expect(screen.getByText('Create automatic purchase rules for tokens')).toBeVisible();
  expect(document.title).toBe('Auto-Buy Rules · Mintwatch');
});

test("shows 'Loading Rules' with a spinner while rules load [S2.9-07]", async () => {
  serveRules(server);
  const respond = holdResponse(server, ruleCalls.list);
  openPage();
  const status = await screen.findByRole('status');
  expect(status).toHaveTextContent('Loading Rules');
  expect(status.querySelector('svg')).toHaveClass('animate-spin');
  act(() => respond(json([])));
  expect(await screen.findByText('No Rules')).toBeVisible();
  expect(screen.queryByText('Loading Rules')).toBeNull();
});

test("shows 'No Rules'; Create Your First Rule and New Rule both open the dialog [S2.9-08]", async () => {
  await openWith(server);
  expect(await screen.findByText('No Rules')).toBeVisible();
  expect(screen.getByText("You haven't created any auto-buy rules yet")).toBeVisible();
  for (const name of ['Create Your First Rule', 'New Rule']) {
    await userEvent.click(screen.getByRole('button', { name }));
    expect(screen.getByRole('dialog', { name: 'Create Auto-Buy Rule' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
  }
});

test('shows an error with a retry button, not an empty list, when rules fail to load', async () => {
  serveRules(server);
  server.fail(ruleCalls.list, 'unavailable');
  openPage();
  expect(await screen.findByText('Rules could not be loaded')).toBeVisible();
  expect(screen.queryByText('No Rules')).toBeNull();
  server.answer(ruleCalls.list, [rule(1)]);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('article', { name: 'Rule 1' })).toBeVisible();
});

test("shows 'Your Auto-Buy Rules' with the server's rules and no samples [S2.9-09, S7.2-11, S2.9-12]", async () => {
  await openWith(
    server,
    rule(1, { name: 'Careful', buyAmount: 0.1, minLiquidity: 0.5, maxRisk: 20, maxSlippage: 5 }),
    rule(2, { name: 'Bold', isActive: false }),
  );
  const list = within(await screen.findByRole('region', { name: 'Your Auto-Buy Rules' }));
  expect(list.getAllByRole('article')).toHaveLength(2);
  const careful = within(card('Careful'));
  expect(careful.getByText('Active', { selector: 'header *' })).toBeVisible();
  const figures = { 'Buy Amount': '0.1 SOL', 'Min Liquidity': '0.5 SOL', 'Max Risk': '20%', 'Max Slippage': '5%' };
  for (const [label, value] of Object.entries(figures)) {
    expect(careful.getByText(label).nextElementSibling).toHaveTextContent(value);
  }
  expect(
    careful.getByText(
      'Buys 0.1 SOL of a token as soon as it is detected, if it has at least 0.5 SOL of liquidity and at most 20% risk.',
    ),
  ).toBeVisible();
  expect(careful.getByRole('button', { name: 'Edit' })).toHaveAccessibleDescription('Careful');
  expect(careful.getByRole('button', { name: 'Delete' })).toHaveAccessibleDescription('Careful');
  expect(within(card('Bold')).getByText('Inactive')).toBeVisible();
  // The samples of the specification are starting points, not rules.
  expect(screen.queryByText('Low Risk Small Buys')).toBeNull();
  const lists = server.requests.filter(({ path }) => path.includes('rules'));
  expect(lists.map(({ path, query }) => path + query.toString())).toEqual(['/api/auto-buy-rules']);
});

test('shows that a wallet is required until one is set in any tab [S2.9-06]', async () => {
  serveRules(server);
  server.answer(walletCalls.get, { walletAddress: null, hasKey: false, savedAt: null });
  const { store } = openPage();
  expect(await screen.findByText('Wallet Required')).toBeVisible();
  expect(screen.getByText('A wallet must be configured in settings before rules can run.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Open wallet' })).toHaveAttribute('href', '/app/wallet');
  const client = store.get(queryClientAtom);
  act(() => applyUserData(client, USER_ID, { subject: 'wallet', op: 'saved', item: walletWithKey }));
  await waitFor(() => expect(screen.queryByText('Wallet Required')).toBeNull());
});

test('shows that a wallet without a stored key cannot buy (D22) [S2.9-06]', async () => {
  serveRules(server);
  server.answer(walletCalls.get, { ...walletWithKey, hasKey: false });
  openPage();
  expect(await screen.findByText("This wallet can't buy from here")).toBeVisible();
  expect(screen.queryByText('Wallet Required')).toBeNull();
});

test('the switch of a card deactivates the rule [S2.9-12]', async () => {
  await openWith(server, rule(1));
  const active = await screen.findByRole('switch', { name: 'Active' });
  expect(active).toBeChecked();
  await userEvent.click(active);
  expect(await findToast('Rule deactivated')).toHaveTextContent('Your auto-buy rule has been deactivated');
  expect(sent(server, 'PATCH', `/api/auto-buy-rules/${id(1)}`)).toEqual([{ isActive: false }]);
  expect(within(card('Rule 1')).getByText('Inactive')).toBeVisible();
  expect(card('Rule 1')).toHaveAttribute('data-dimmed', 'true');
});

test('a failed switch shows an error and keeps its state [S2.9-12]', async () => {
  await openWith(server, rule(1));
  server.fail(ruleCalls.update, 'unavailable');
  await userEvent.click(await screen.findByRole('switch', { name: 'Active' }));
  expect(await findToast('Error')).toHaveTextContent('The database is not reachable right now.');
  expect(screen.getByRole('switch', { name: 'Active' })).toBeChecked();
});

test('Delete asks for confirmation, then removes the rule [S2.9-12]', async () => {
  const { rules } = await openWith(server, rule(1), rule(2));
  await pressDelete('Cancel');
  expect(server.count(ruleCalls.remove)).toBe(0);
  await pressDelete('Delete');
  expect(await findToast('Rule Deleted')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Rule 1' })).toBeNull());
  expect(rules.map(({ name }) => name)).toEqual(['Rule 2']);
});

test('a rule that another tab deleted leaves the list when deleting it fails [S2.9-12]', async () => {
  const { rules } = await openWith(server, rule(1), rule(2));
  rules.shift();
  server.fail(ruleCalls.remove, 'not-found');
  await pressDelete('Delete');
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Rule 1' })).toBeNull());
  expect(screen.getByRole('article', { name: 'Rule 2' })).toBeVisible();
});

test('changes in other tabs appear at once [S2.9-09]', async () => {
  const { store } = await openWith(server, rule(1));
  const client = store.get(queryClientAtom);
  act(() => applyUserData(client, USER_ID, { subject: 'rules', op: 'saved', item: rule(2) }));
  expect(await screen.findByRole('article', { name: 'Rule 2' })).toBeVisible();
  act(() => applyUserData(client, USER_ID, { subject: 'rules', op: 'deleted', item: { id: id(1) } }));
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Rule 1' })).toBeNull());
});
