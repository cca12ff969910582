import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ruleCalls } from '../../common/rules/http.ts';
import { defaultRule, type Rule } from '../../common/rules/model.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import type { Token } from '../../common/tokens/model.ts';
import { transactionCalls } from '../../common/transactions/http.ts';
import { walletCalls } from '../../common/wallet/http.ts';
import { watchlistCalls } from '../../common/watchlists/http.ts';
import { liveOf } from '../live/live.ts';
import { address, NOON, stats, token } from '../live/testing/build.ts';
import { queryClientAtom } from '../store.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { type Rendered, renderWithApp } from '../testing/render.tsx';
import { applyUserData } from '../users/user-cache.ts';
import { elsewhere, entry, storeLists } from '../watchlists/testing/own-lists.ts';
import DashboardPage from './dashboard-page.tsx';

const rest = fakeServerPerTest();
const feed = { 'X-Feed-Epoch': 'e', 'X-Feed-Seq': '5' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
  rest.answer(tokenCalls.list, [], feed);
  rest.answer(tokenCalls.new, [token(1), token(2), token(3)], feed);
  rest.answer(tokenCalls.runners, [], feed);
  rest.answer(tokenCalls.mightRun, [], feed);
  rest.answer(tokenCalls.stats, stats(), feed);
  rest.answer(ruleCalls.list, []);
  rest.answer(walletCalls.get, { walletAddress: null, hasKey: false, savedAt: null });
  storeLists(rest);
});
afterEach(() => void vi.useRealTimers());

const user = userEvent.setup();
const open = (onPaint?: (address: string) => void): Rendered =>
  renderWithApp(<DashboardPage {...(onPaint ? { onPaint } : {})} />, { path: '/app' });
const card = (label: string) => screen.getByRole('link', { name: label }).closest('.rounded-lg');
const tab = (name: string) => screen.findByRole('tab', { name: new RegExp(`^${name}`) });
const table = (name: string) => screen.findByRole('table', { name });

function names(of: HTMLElement): (string | undefined)[] {
  return within(of)
    .queryAllByRole('link')
    .map((link) => link.getAttribute('aria-label')?.replace('Details of ', ''));
}

function rule(number: number, fields: Partial<Rule> = {}): Rule {
  const at = new Date(NOON).toISOString();
  return { ...defaultRule, id: `rule-${number}`, name: `Rule ${number}`, createdAt: at, updatedAt: at, ...fields };
}

/** Sets the tokens of the user's watchlist. */
function watches(...tokens: Token[]): void {
  storeLists(
    rest,
    tokens.map((one, at) => ({ list: 'watch', address: one.address, addedAt: new Date(NOON - at).toISOString() })),
  );
  rest.answer(watchlistCalls.tokens, tokens, feed);
}

test("Auto-Buy Rules counts the user's rules, live, and links to them [S2.5-07]", async () => {
  rest.answer(ruleCalls.list, [rule(1), rule(2, { isActive: false })]);
  const { store, path } = open();
  await waitFor(() => expect(card('Auto-Buy Rules')).toHaveTextContent(/^Auto-Buy Rules2/));
  act(() =>
    applyUserData(store.get(queryClientAtom), 'user-1', { subject: 'rules', op: 'deleted', item: { id: 'rule-1' } }),
  );
  await waitFor(() => expect(card('Auto-Buy Rules')).toHaveTextContent(/^Auto-Buy Rules1/));
  await user.click(screen.getByRole('link', { name: 'Auto-Buy Rules' }));
  expect(path()).toBe('/app/auto-buy');
});

test('Auto-Buy Rules shows 0 without rules, and a dash only while unknown [S2.5-07]', async () => {
  let respond = (): void => undefined;
  rest.reply(ruleCalls.list, () => new Promise((resolve) => (respond = () => resolve(new Response('[]')))));
  open();
  expect(screen.getByLabelText('Auto-Buy Rules: not known yet')).toHaveTextContent('–');
  await waitFor(() => expect(rest.count(ruleCalls.list)).toBe(1));
  respond();
  await waitFor(() => expect(card('Auto-Buy Rules')).toHaveTextContent(/^Auto-Buy Rules0/));
});

test("Wallet shows 'Not Set' without one [S2.5-08]", async () => {
  const { path } = open();
  await waitFor(() => expect(card('Wallet')).toHaveTextContent('Not Set'));
  await user.click(screen.getByRole('link', { name: 'Wallet' }));
  expect(path()).toBe('/app/wallet');
});

test('Wallet shows the shortened address, and when only the address is known [S2.5-08]', async () => {
  const walletAddress = 'So11111111111111111111111111111111111111112';
  const wallet = { walletAddress, hasKey: false, savedAt: new Date(NOON).toISOString() };
  rest.answer(walletCalls.get, wallet);
  const { store } = open();
  await waitFor(() => expect(card('Wallet')).toHaveTextContent('So1111…1112address only'));
  act(() =>
    applyUserData(store.get(queryClientAtom), 'user-1', {
      subject: 'wallet',
      op: 'saved',
      item: { ...wallet, hasKey: true },
    }),
  );
  await waitFor(() => expect(card('Wallet')).not.toHaveTextContent('address only'));
});

test("Watched Tokens shows 'No Watched Tokens' without any [S2.5-11, S8.3-01]", async () => {
  watches();
  open();
  await user.click(await tab('Watched Tokens\\s*0'));
  expect(await screen.findByText('No Watched Tokens')).toBeVisible();
});

test('Watched Tokens lists watched tokens, latest added first, and keeps old ones live [S2.5-11]', async () => {
  watches(token(4_000, { name: 'Old Otter' }), token(2));
  const { store } = open();
  await user.click(await tab('Watched Tokens\\s*2'));
  expect(names(await table('Watched Tokens'))).toEqual(['Old Otter', 'Token 2']);
  const { model, writer } = liveOf(store);
  model.event({
    event: 'token-updates',
    payload: {
      seq: 6,
      at: NOON,
      solUsd: null,
      patches: [{ number: 4_001, version: 2, price: 0.5, volume: 12_345 }],
    },
  });
  act(() => writer.flush());
  expect(within(await table('Watched Tokens')).getByText('$12.3K')).toBeVisible();
});

test('a row appears and disappears with its button, in this tab and in another [S2.5-11]', async () => {
  watches(token(2));
  const { store } = open();
  const newest = await table('Newest Tokens');
  await user.click(await within(newest).findByRole('button', { name: 'Watch Token 1', pressed: false }));
  expect(await screen.findByText('Added to Watchlist')).toBeVisible();
  expect(within(newest).getAllByText('Watched')).toHaveLength(2);
  await user.click(await tab('Watched Tokens\\s*2'));
  await waitFor(async () => expect(names(await table('Watched Tokens'))).toEqual(['Token 1', 'Token 2']));
  act(() => elsewhere(store, 'deleted', entry('watch', 2)));
  await waitFor(async () => expect(names(await table('Watched Tokens'))).toEqual(['Token 1']));
  act(() => elsewhere(store, 'saved', entry('watch', 3)));
  await waitFor(async () => expect(names(await table('Watched Tokens'))).toContain('Token 3'));
});

test('Recent Transactions lists the latest transactions of the user [S2.5-12]', async () => {
  rest.answer(transactionCalls.list, []);
  open();
  await user.click(await tab('Recent Transactions'));
  expect(await screen.findByText('No Recent Transactions')).toBeVisible();
});

test('a blacklisted token leaves the lists at once, and returns when removed from the blacklist [S2.7-05]', async () => {
  const painted: string[] = [];
  rest.answer(watchlistCalls.tokens, [token(2)]);
  const { store } = open((one) => void painted.push(one));
  const newest = await table('Newest Tokens');
  expect(names(newest)).toEqual(['Token 1', 'Token 2', 'Token 3']);
  const black = await within(newest).findByRole('button', { name: 'Blacklist Token 2' });
  await waitFor(() => expect(black).toBeEnabled());
  // Each late response may paint the rows once more.
  await waitFor(() => expect(store.get(queryClientAtom).isFetching()).toBe(0));
  painted.length = 0;
  await user.click(black);
  await waitFor(() => expect(names(newest)).toEqual(['Token 1', 'Token 3']));
  // Rows below move up and repaint; those above do not.
  expect(painted).not.toContain(address(1));
  await user.click(await screen.findByRole('button', { name: '1 blacklisted token is hidden' }));
  await user.click(await screen.findByRole('button', { name: 'Remove Token 2 from Blacklist' }));
  expect(await screen.findByText('No token is blacklisted')).toBeVisible();
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }));
  await waitFor(async () => expect(names(await table('Newest Tokens'))).toEqual(['Token 1', 'Token 2', 'Token 3']));
  expect(screen.queryByText(/hidden$/)).toBeNull();
  await waitFor(() => expect(document.body.style.pointerEvents).toBe(''));
});

test('the toast of a blacklisting can undo it [S2.7-05]', async () => {
  open();
  const newest = await table('Newest Tokens');
  const black = await within(newest).findByRole('button', { name: 'Blacklist Token 2' });
  await waitFor(() => expect(black).toBeEnabled());
  await user.click(black);
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Removed from Blacklist')).toBeVisible();
  await waitFor(() => expect(names(newest)).toHaveLength(3));
});
