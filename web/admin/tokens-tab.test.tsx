import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { TOTAL_COUNT_HEADER } from '../../common/live/protocol.ts';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import type { Token } from '../../common/tokens/model.ts';
import { liveOf } from '../live/live.ts';
import { address, token } from '../live/testing/build.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { card } from '../testing/page.ts';
import { type Rendered, renderWithApp, sessionUser } from '../testing/render.tsx';
import TokensTab from './tokens-tab.tsx';
import { ROWS_STEP } from './use-token-list.ts';

const server = fakeServerPerTest();

beforeEach(() => server.answer(maintenanceCalls.runs, []));

/** Serves tokens, newest first, searched by the start of name, symbol or address. */
function serveTokens(tokens: readonly Token[]): void {
  server.reply(tokenCalls.list, ({ query }) => {
    const { q = '', limit = 200, before } = tokenCalls.list.query.parse(Object.fromEntries(query));
    const found = tokens.filter((one) =>
      [one.name, one.symbol, one.address].some((text) => text?.toLowerCase().startsWith(q.toLowerCase())),
    );
    const from = before === undefined ? 0 : found.findIndex((one) => before.endsWith(one.address)) + 1;
    const headers = { [TOTAL_COUNT_HEADER]: String(found.length), 'X-Feed-Epoch': 'e', 'X-Feed-Seq': '5' };
    return json(tokenCalls.list.output.parse(found.slice(from, from + limit)), 200, headers);
  });
}

async function open(tokens: readonly Token[]): Promise<Rendered> {
  serveTokens(tokens);
  const rendered = renderWithApp(<TokensTab />, { session: sessionUser({ isAdmin: true }) });
  await within(await screen.findByRole('list', { name: 'Tokens' })).findAllByRole('article');
  return rendered;
}

const rows = () => within(screen.getByRole('list', { name: 'Tokens' })).getAllByRole('article');
const box = () => screen.getByRole('searchbox', { name: 'Search by name, symbol or address' });
const figure = (name: string, label: string) =>
  within(card(name)).getByText(label, { selector: 'dt' }).nextElementSibling?.textContent;

test('a row has name, symbol, risk, address, liquidity, market cap, holders and created date [S2.13-08, S9-15]', async () => {
  await open([token(1), token(2, { initialLiquidity: null, marketCap: null, holderCount: null, createdAt: null })]);
  const known = within(card('Token 1'));
  expect(known.getByText('T1')).toBeVisible();
  expect(known.getByText('42% Risk')).toBeVisible();
  const short = `${address(1).slice(0, 8)}…${address(1).slice(-4)}`;
  expect(known.getByRole('button', { name: `Copy token address ${address(1)}` })).toHaveTextContent(short);
  const labels = ['Initial liquidity', 'Current liquidity', 'Market cap', 'Holders', 'Created'];
  expect(labels.map((label) => figure('Token 1', label))).toEqual([
    '2.000 SOL',
    '3.250 SOL',
    '$5,200.00',
    '24',
    '2025-06-01 11:59',
  ]);
  expect(known.getByText('2025-06-01 11:59')).toHaveAttribute('title', '2025-06-01 11:59:00 UTC');
  expect(labels.map((label) => figure('Token 2', label))).toEqual(['–', '3.250 SOL', '–', '–', '–']);
});

test("shows a token without a name, or with a placeholder name, as 'Unknown Token' [S3-12]", async () => {
  await open([
    token(1, { name: null }),
    token(2, { name: `Unknown Token (${address(2).slice(0, 8)}...)`, symbol: 'Unknown' }),
  ]);
  expect(screen.getAllByRole('article', { name: 'Unknown Token' })).toHaveLength(2);
  expect(screen.getByText('T1')).toBeVisible();
  expect(screen.queryByText('Unknown')).toBeNull();
});

test.each([
  [100, '100% Risk', 'text-down'],
  [71, '71% Risk', 'text-down'],
  [70, '70% Risk', 'text-risk-medium'],
  [40.6, '41% Risk', 'text-risk-medium'],
  [40, '40% Risk', 'text-risk-low'],
  [0, '0% Risk', 'text-risk-low'],
  [null, 'Risk unknown', 'text-risk-unknown'],
])('shows a risk of %s as %s [S4-04, S4-05]', async (scamProbability, text, look) => {
  await open([token(1, { scamProbability })]);
  expect(screen.getByText(text)).toHaveClass(look);
});

test('View Details opens the token page in a new tab [S2.13-09]', async () => {
  await open([token(1)]);
  const link = screen.getByRole('link', { name: 'View Details' });
  expect(link).toHaveAttribute('href', `/app/tokens/${address(1)}`);
  expect(link).toHaveAttribute('target', '_blank');
});

test('View on Solscan opens Solscan for mainnet, the explorer for another cluster, or shows why it cannot [S2.13-10]', async () => {
  const on = (cluster: 'mainnet' | 'devnet') => ({ metadata: { ...token(1).metadata, cluster } });
  await open([token(1, on('mainnet')), token(2, on('devnet')), token(3)]);
  const link = (name: string) => within(card(name)).getByRole('link', { name: 'View on Solscan' });
  expect(link('Token 1')).toHaveAttribute('href', `https://solscan.io/token/${address(1)}`);
  expect(link('Token 1')).toHaveAttribute('target', '_blank');
  expect(link('Token 2')).toHaveAttribute('href', expect.stringMatching(/cluster=devnet$/));
  const off = within(card('Token 3')).getByRole('button', { name: 'View on Solscan' });
  expect(off).toBeDisabled();
  expect(off).toHaveAccessibleDescription(/This token is simulated/);
});

test('searches by name, symbol or address after a pause in typing [S2.13-06]', async () => {
  await open([token(1), token(2, { name: 'Otter' }), token(3, { symbol: 'OTT' })]);
  expect(screen.getByText('3 tokens')).toBeVisible();
  await userEvent.type(box(), 'ott');
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(screen.queryByRole('article', { name: 'Token 1' })).toBeNull();
  expect(screen.getByText('2 tokens')).toBeVisible();
  await userEvent.clear(box());
  await userEvent.type(box(), address(1).slice(0, 8));
  expect(await screen.findByRole('article', { name: 'Token 1' })).toBeVisible();
  await userEvent.clear(box());
  await userEvent.type(box(), 'zzz');
  expect(await screen.findByText('No Matching Tokens')).toBeVisible();
  await userEvent.clear(box());
  await waitFor(() => expect(rows()).toHaveLength(3));
  const searches = server.requests.map(({ query }) => query.get('q')).filter((q) => q !== null);
  expect(searches).toEqual(['ott', address(1).slice(0, 8), 'zzz']);
});

test("'Load more' shows the next tokens, and fetches them when they are not loaded [S2.13-08]", async () => {
  const { container } = await open(Array.from({ length: 203 }, (_, number) => token(number + 1)));
  // By selector and text, since queries by role take seconds with this many rows.
  const shown = () => container.querySelectorAll('ul[aria-label="Tokens"] > li').length;
  const more = () => fireEvent.click(screen.getByText('Load more'));
  expect(shown()).toBe(ROWS_STEP);
  more();
  expect(shown()).toBe(2 * ROWS_STEP);
  more();
  more();
  expect(shown()).toBe(200);
  expect(server.count(tokenCalls.list)).toBe(1);
  more();
  await waitFor(() => expect(shown()).toBe(203));
  expect(server.count(tokenCalls.list)).toBe(2);
  expect(screen.queryByText('Load more')).toBeNull();
});

test('figures and rows follow the feed, including removals [S2.13-08]', async () => {
  const { store } = await open([token(1), token(2)]);
  const live = liveOf(store);
  live.model.hello({ epoch: 'e', seq: 5 });
  const at = Date.now();
  const patches = [{ number: 2, version: 2, holderCount: 25 }];
  live.model.event({ event: 'token-updates', payload: { seq: 6, at, solUsd: null, patches } });
  act(() => live.writer.flush());
  expect(figure('Token 1', 'Holders')).toBe('25');
  live.model.event({ event: 'tokens-removed', payload: { seq: 7, addresses: [address(2)] } });
  act(() => live.writer.flush());
  expect(screen.queryByRole('article', { name: 'Token 2' })).toBeNull();
  live.model.event({ event: 'tokens-removed', payload: { seq: 8, all: true } });
  act(() => live.writer.flush());
  expect(screen.getByText('No Tokens')).toBeVisible();
});

test('rows keep their place while the pointer is over them [S2.13-08]', async () => {
  const { store } = await open([token(2)]);
  const live = liveOf(store);
  live.model.hello({ epoch: 'e', seq: 5 });
  // One moving pointer, so that entering an element leaves the one before.
  const pointer = userEvent.setup();
  await pointer.hover(card('Token 2'));
  live.model.event({ event: 'new-token', payload: { seq: 6, token: token(1) } });
  act(() => live.writer.flush());
  expect(screen.getByText(/1 new token waits/)).toBeVisible();
  expect(rows()).toHaveLength(1);
  await pointer.hover(box());
  await waitFor(() => expect(rows()).toHaveLength(2));
});

test('a 403 gives the permission text, whatever its body [S8.1-03]', async () => {
  server.reply(tokenCalls.list, () => new Response('Forbidden', { status: 403 }));
  renderWithApp(<TokensTab />);
  expect(await screen.findByText('Failed to fetch tokens')).toBeVisible();
  expect(screen.getByText("You don't have permission to access this resource")).toBeVisible();
});

test("shows 'Failed to fetch tokens' with a retry button when the response is not OK [S8.1-02]", async () => {
  server.fail(tokenCalls.list, 'unavailable');
  renderWithApp(<TokensTab />);
  expect(screen.getByRole('status', { name: 'Loading tokens' })).toBeInTheDocument();
  expect(await screen.findByText('Failed to fetch tokens')).toBeVisible();
  serveTokens([token(1)]);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('article', { name: 'Token 1' })).toBeVisible();
});
