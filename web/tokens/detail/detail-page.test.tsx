import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Link, Route } from 'wouter';
import { configCalls } from '../../../common/client-config/http.ts';
import { tokenCalls } from '../../../common/tokens/http.ts';
import type { Risk, TokenDetail } from '../../../common/tokens/model.ts';
import type { CoinEnd, CreatorCoin } from '../../../common/tokens/wallets/creator.ts';
import type { Holder } from '../../../common/tokens/wallets/model.ts';
import { unitAtom } from '../../live/atoms/unit.ts';
import { liveOf } from '../../live/live.ts';
import { address, detail, NOON, noCoins, trade } from '../../live/testing/build.ts';
import { fakeServerPerTest } from '../../testing/fake-server.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { plainPrice } from '../../ui/format.ts';
import { detailPath } from '../links.ts';
import { useOrderKeeper } from '../list/list-order.ts';
import { recordText } from './creator-card.tsx';
import TokenDetailPage from './detail-page.tsx';

const rest = fakeServerPerTest();
// The page caches data by token, so each test uses another one.
let number = 100;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
  number += 1;
  rest.answer(tokenCalls.candles, { candles: [], parts: [], next: null, newest: null });
  rest.answer(tokenCalls.trades, []);
  rest.answer(tokenCalls.holders, []);
  rest.answer(tokenCalls.wallets, []);
  rest.answer(tokenCalls.creator, noCoins);
});
afterEach(() => void vi.useRealTimers());

const holder: Holder = {
  wallet: address(7),
  tokens: 124_000_000,
  share: 12.4,
  isCreator: true,
  labels: ['developer', 'insider', 'top-10'],
  bought: 1.5,
  sold: 0.25,
  remaining: 80,
  profit: -0.5,
  firstBuyAfter: 12_000,
};
const unknownFigures = { bought: null, sold: null, remaining: null, profit: null, firstBuyAfter: null };

async function shown(fields: Partial<TokenDetail> = {}) {
  rest.answer(tokenCalls.detail, detail(number, fields), { 'X-Feed-Epoch': 'e', 'X-Feed-Seq': '1' });
  const rendered = open();
  await screen.findByRole('heading', { name: /Market Data/ });
  return rendered;
}

function open() {
  return renderWithApp(<Route path="/app/tokens/:address" component={TokenDetailPage} />, {
    path: `/app/tokens/${address(number)}`,
  });
}

const region = (name: string) => within(screen.getByRole('region', { name }));

test('shows a link back to the list and the symbol as heading [S2.7-01]', async () => {
  const user = userEvent.setup();
  const { path } = await shown({ symbol: 'OTTR', name: 'Moon Otter' });
  expect(screen.getByRole('heading', { name: /^OTTR/ })).toBeVisible();
  expect(document.title).toBe('OTTR · Mintwatch');
  await user.click(screen.getByRole('link', { name: 'Back to tokens' }));
  expect(path()).toBe('/app/tokens');
});

/** A list of two coins. */
function List() {
  const coins = [address(number), address(number + 1)];
  return (
    <div {...useOrderKeeper('coins', coins)}>
      {coins.map((coin) => (
        <Link key={coin} href={detailPath(coin)} data-row-link="">
          {coin}
        </Link>
      ))}
    </div>
  );
}

test('the steps to the coins beside it keep the focus, also at the end of the list', async () => {
  const user = userEvent.setup();
  rest.reply(tokenCalls.detail, ({ path }) => {
    const one = path.endsWith(address(number)) ? number : number + 1;
    return Response.json(detail(one), { headers: { 'X-Feed-Epoch': 'e', 'X-Feed-Seq': '1' } });
  });
  const { path } = renderWithApp(
    <>
      <Route path="/app/tokens" component={List} />
      <Route path="/app/tokens/:address" component={TokenDetailPage} />
    </>,
    { path: '/app/tokens' },
  );
  await user.click(screen.getByRole('link', { name: address(number) }));
  const next = await screen.findByRole('link', { name: 'Next coin' });
  await user.click(next);
  expect(path()).toBe(detailPath(address(number + 1)));
  expect(next).toHaveFocus();
  expect(next).toHaveAttribute('aria-disabled', 'true');
  await user.keyboard('{Enter}');
  expect(path()).toBe(detailPath(address(number + 1)));
  number += 1;
});

test('shows risk and source as badges, also for a simulated token [S2.7-02, S3-10]', async () => {
  await shown({ scamProbability: 42, riskCoverage: 80 });
  const header = within(screen.getByRole('heading', { name: /^T\d/ }).closest('header') ?? document.body);
  expect(header.getByText('Medium Risk')).toBeVisible();
  expect(header.getByText('Simulated')).toBeVisible();
});

describe('the explorer link [S2.7-03]', () => {
  test('follows the cluster of the token [S2.7-03]', async () => {
    await shown({ metadata: { ...detail(1).metadata, source: 'pump.fun', cluster: 'devnet' } });
    expect(screen.getByRole('link', { name: 'Explorer' })).toHaveAttribute(
      'href',
      `https://explorer.solana.com/address/${address(number)}?cluster=devnet`,
    );
    expect(screen.getByRole('link', { name: 'Explorer' })).toHaveAttribute('rel', 'noopener noreferrer');
  });

  test('is the page of the product for the local chain', async () => {
    const chain = {
      cluster: 'local',
      rpcUrl: 'http://127.0.0.1:9123',
      wsUrl: 'ws://127.0.0.1:9123',
      faucet: true,
    } as const;
    rest.answer(configCalls.get, { chain, botUsername: null });
    await shown({ metadata: { ...detail(1).metadata, cluster: 'local' } });
    const link = await screen.findByRole('link', { name: 'Explorer' });
    expect(link.getAttribute('href')).toMatch(new RegExp(`^/.*${address(number)}$`));
  });

  test('is disabled with a reason for a token on no chain [S2.7-03]', async () => {
    await shown();
    const button = screen.getByRole('button', { name: 'Explorer' });
    expect(button).toHaveAccessibleDescription(/simulated.*no chain/i);
    expect(button).toBeDisabled();
  });
});

test('leads to the pages of others about a token of mainnet, and copies its address', async () => {
  const user = userEvent.setup();
  await shown({ name: 'Moon Otter', metadata: { ...detail(1).metadata, cluster: 'mainnet' } });
  const header = within(screen.getByRole('heading', { name: /Moon Otter/ }).closest('header') ?? document.body);
  expect(header.getByRole('link', { name: 'Moon Otter on pump.fun' })).toHaveAttribute(
    'href',
    `https://pump.fun/coin/${address(number)}`,
  );
  await user.click(header.getByRole('button', { name: 'Copy the address of Moon Otter' }));
  expect(await navigator.clipboard.readText()).toBe(address(number));
});

test('shows the risk alert only above 50 [S2.7-08]', async () => {
  const { unmount } = await shown(scored(51));
  expect(screen.getByRole('alert')).toHaveTextContent('Medium Risk, scam probability 51 of 100');
  unmount();
  for (const scamProbability of [50, null]) {
    number += 1;
    const next = await shown(scored(scamProbability));
    expect(screen.queryByRole('alert')).toBeNull();
    next.unmount();
  }
});

/** Fields of a token with this risk, in the badge and in the analysis. */
function scored(score: number | null): Partial<TokenDetail> {
  const whole: Risk = { ...detail(number).risk, score };
  return { scamProbability: score, riskReason: whole.reason, risk: whole };
}

test('shows the two cards with their figures [S2.7-09, S9-10, S9-11, S9-12, S9-14]', async () => {
  await shown({
    price: 0.0000000312,
    volume: 1_675_020.4,
    marketCap: 5_234.5,
    currentLiquidity: 0.4,
    initialLiquidity: 2.5,
    holderCount: 12,
  });
  const market = region('Market Data');
  expect(market.getByRole('img', { name: '0.00000003120' })).toHaveTextContent('0.0₇3120');
  expect(market.getByText('$5,234.50')).toBeVisible();
  expect(market.getByText('$1,675,020')).toBeVisible();
  expect(market.getByText('0.400 SOL')).toBeVisible();
  expect(market.getByText('Started with 2.500 SOL')).toBeVisible();
  expect(market.getByText(/^Dollars at \$150.00 for a SOL/)).toBeVisible();
  const info = region('Token Information');
  const creator = address(number + 50_000);
  const known = [`${creator.slice(0, 6)}…${creator.slice(-4)}`, address(number), '1.00B', 'Revoked'];
  for (const text of known) expect(info.getByText(text)).toBeVisible();
  // The freeze authority was not read: neither revoked nor live.
  expect(info.getByText('Unknown')).toBeVisible();
});

test.each([
  [23, /^as of migration, 14:02$/],
  [24, /^as of migration, 1 Sept? 2026, 14:02$/],
])('gives the age of figures that froze %i hours ago in the move into the pool', async (hours, text) => {
  const migratedAt = new Date(2026, 8, 1, 14, 2, 30);
  vi.setSystemTime(migratedAt.getTime() + hours * 3_600_000);
  await shown({ stage: 'pool', figuresAsOf: { price: null, liquidity: migratedAt.toISOString(), marketCap: null } });
  expect(screen.getByText('Current liquidity').parentElement).toContainElement(screen.getByText(text));
});

test('shows the bands of liquidity and holders, and few holders in yellow [S4-11, S4-12]', async () => {
  await shown({ currentLiquidity: 0.4, holderCount: 19 });
  const market = region('Market Data');
  expect(market.getByText('Very Low')).toBeVisible();
  expect(market.getByText('Concentrated')).toBeVisible();
  expect(market.getByText('19')).toHaveClass('text-risk-medium');
});

test('shows unknown figures as dashes, never 0', async () => {
  await shown({ price: null, marketCap: null, volume: null, holderCount: null, currentLiquidity: null, solUsd: null });
  const market = region('Market Data');
  expect(market.getAllByText('–').length).toBeGreaterThanOrEqual(4);
  expect(market.getByText('No rate: dollar figures are unknown')).toBeVisible();
});

test('shows the latency from the chain to the screen', async () => {
  await shown();
  const steps = region('Latency').getAllByRole('listitem');
  expect(steps.map((step) => step.textContent)).toEqual([
    'Created0 ms',
    'Received+120 ms',
    'Stored+60 ms',
    'Published+10 ms',
    'Painted–',
  ]);
});

test('the risk analysis shows the score, the share of known checks, and every factor with its evidence [S2.7-10]', async () => {
  await shown();
  expect(region('Risk score').getByText('42')).toBeVisible();
  expect(region('Risk score').getByText(/^8 of 10\./)).toBeVisible();
  const raised = region('Raises the score');
  expect(raised.getByText('Creator holds much of the supply')).toBeVisible();
  expect(raised.getByText('+12')).toBeVisible();
  expect(raised.getByText('Creator holds 12.4 % of the supply (limit 10 %).')).toBeVisible();
  expect(raised.getByText(address(number + 50_000))).toBeVisible();
  expect(region('Not known').getByText('Ten wallets hold much of the supply')).toBeVisible();
  const clear = region('Checked and clear');
  expect(clear.getByText('The mint authority is revoked.')).not.toBeVisible();
  await userEvent.click(clear.getByRole('button', { name: 'Show the clear checks' }));
  expect(clear.getByText('The mint authority is revoked.')).toBeVisible();
});

test('updates the risk from the feed [S2.7-10]', async () => {
  const { store } = await shown();
  const { risk } = detail(number);
  const live = liveOf(store);
  expect(live.topics.joined()).toEqual([`token:${address(number)}`]);
  act(() => {
    live.receive({
      event: 'token-risk',
      payload: { address: address(number), version: 2, risk: { ...risk, score: 88 } },
    });
  });
  expect(region('Risk score').getByText('88')).toBeVisible();
});

describe('the tab Transactions [S2.7-11]', () => {
  test("shows 'No Transactions' without any [S2.7-11]", async () => {
    const user = userEvent.setup();
    await shown();
    await user.click(screen.getByRole('tab', { name: 'Transactions' }));
    expect(await screen.findByText('No Transactions')).toBeVisible();
  });

  test('lists trades, adds those of the feed at once, and has no duplicates [S2.7-11]', async () => {
    const user = userEvent.setup();
    rest.answer(tokenCalls.trades, [trade(2, { side: 'sell' }), trade(1)]);
    const { store } = await shown();
    await user.click(screen.getByRole('tab', { name: 'Transactions' }));
    await screen.findByText('▼ Sell');
    act(() => {
      liveOf(store).receive({
        event: 'token-trades',
        payload: { address: address(number), trades: [trade(2), trade(3, { sol: 7.5 })] },
      });
    });
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(4));
    const [, newest] = screen.getAllByRole('row');
    expect(newest).toHaveTextContent('▲ Buy7.500');
    expect(newest).toHaveTextContent(plainPrice(7.5 / trade(3).tokens));
  });
});

describe('the tape', () => {
  const open = async (trades: ReturnType<typeof trade>[]) => {
    rest.answer(tokenCalls.trades, trades);
    rest.answer(tokenCalls.wallets, [{ wallet: address(7), labels: ['developer', 'insider', 'first-20'] }]);
    await openTape();
  };
  const openTape = async () => {
    await shown({ creatorAddress: address(7) });
    await userEvent.click(screen.getByRole('tab', { name: 'Transactions' }));
    await screen.findByText(/^Last 60 s/);
  };
  const rows = () => screen.getAllByRole('row').slice(1).length;

  test('filters by size, side and developer, and says when nothing passes', async () => {
    await open([
      trade(3, { wallet: address(7), sol: 0.01 }),
      trade(2, { side: 'sell', sol: 2 }),
      trade(1, { sol: 0.2 }),
    ]);
    expect(await screen.findByText('Developer', { selector: 'span' })).toBeVisible();
    expect(rows()).toBe(3);
    await userEvent.click(screen.getByRole('button', { name: '≥ 0.1 SOL' }));
    expect(rows()).toBe(2);
    await userEvent.click(screen.getByRole('button', { name: 'Sells' }));
    expect(rows()).toBe(1);
    await userEvent.click(screen.getByRole('button', { name: 'Developer' }));
    expect(screen.getByText('No trade of the newest 3 passes the filter.')).toBeVisible();
  });

  test('without the labels of wallets, says so and knows the creator', async () => {
    rest.answer(tokenCalls.trades, [trade(2, { wallet: address(7) }), trade(1)]);
    rest.fail(tokenCalls.wallets, 'unavailable');
    await openTape();
    expect(await screen.findByText('Wallet labels could not be loaded. Only the creator is marked.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Developer' }));
    expect(rows()).toBe(1);
    expect(screen.getByText('Developer', { selector: 'span' })).toBeVisible();
  });

  test('shows the trades of one wallet until it is cleared', async () => {
    await open([trade(2), trade(1)]);
    await userEvent.click(screen.getAllByRole('button', { name: /^Show only trades of/ })[0] ?? document.body);
    expect(rows()).toBe(1);
    await userEvent.click(screen.getByRole('button', { name: /^Wallet / }));
    expect(rows()).toBe(2);
  });
});

test("the tab Holders lists wallets, or shows 'No Holder Data' [S2.7-12]", async () => {
  const user = userEvent.setup();
  const first = await shown();
  await user.click(screen.getByRole('tab', { name: 'Holders' }));
  expect(await screen.findByText('No Holder Data')).toBeVisible();
  first.unmount();
  number += 1;
  rest.answer(tokenCalls.holders, [holder]);
  await shown();
  await user.click(screen.getByRole('tab', { name: 'Holders' }));
  expect(await screen.findByText('12.40%')).toBeVisible();
  expect(screen.getByText('Creator', { selector: 'span' })).toBeVisible();
});

test('the tab Holders shows what each wallet bought, sold and made, and the shares of the groups', async () => {
  rest.answer(tokenCalls.holders, [holder, { ...holder, wallet: address(8), isCreator: false, profit: 0.125 }]);
  await shown();
  await userEvent.click(screen.getByRole('tab', { name: 'Holders' }));
  const [first, second] = (await screen.findAllByRole('row')).slice(1);
  expect(first).toHaveTextContent(/1\.5000\.25080%▼ −0\.500\+12s$/);
  expect(second).toHaveTextContent('▲ +0.125');
  expect(within(first ?? document.body).getByText('Insider')).toBeVisible();
  expect(within(first ?? document.body).queryByText('Developer')).toBeNull();
  expect(within(second ?? document.body).getByText('Developer')).toBeVisible();
  const groups = screen.getByText('Top 10').closest('dl');
  expect(groups).toHaveTextContent('Top 1024.8%Bundle bought6.5%Insiders hold3.0%Creator holds1.5%');
});

test.each([
  [{ buys: null }, 'Bought, sold and profit are unknown: trades before the first one seen are missing.'],
  [
    { createdAt: new Date(NOON - 25 * 3_600_000).toISOString() },
    'Bought, sold and profit are unknown: trades are stored for a day.',
  ],
])('the tab Holders says why figures are unknown: %j', async (fields, text) => {
  rest.answer(tokenCalls.holders, [{ ...holder, ...unknownFigures }]);
  await shown(fields);
  await userEvent.click(screen.getByRole('tab', { name: 'Holders' }));
  expect(await screen.findByText(text)).toBeVisible();
});

test("the creator's card sums up its other coins and lists the best first", async () => {
  const coin = (of: number, end: CoinEnd): CreatorCoin => ({
    address: address(of),
    name: `Coin ${of}`,
    symbol: null,
    launchedAt: new Date(NOON - of * 3_600_000).toISOString(),
    highestMarketCap: 40,
    end,
  });
  rest.answer(tokenCalls.creator, {
    ...noCoins,
    ...{ launched: 14, migrated: 1, drained: 9, drainedWithinHour: 9 },
    coins: [
      coin(1, 'migrated'),
      coin(2, 'drained'),
      coin(3, 'alive'),
      coin(4, 'quiet'),
      coin(5, 'quiet'),
      coin(6, 'quiet'),
    ],
  });
  const { store } = await shown();
  act(() => store.set(unitAtom, 'sol'));
  const card = region("Creator's coins");
  expect(await card.findByText('Launched 14 other coins in 30 days · 1 migrated · 9 drained within 1 h')).toBeVisible();
  const items = card.getAllByRole('listitem');
  expect(items).toHaveLength(5);
  expect(items[0]).toHaveTextContent(/^Coin 1 ?max ◎401hMigrated$/);
  expect(card.getByRole('link', { name: 'Coin 1' })).toHaveAttribute('href', `/app/tokens/${address(1)}`);
  await userEvent.click(card.getByRole('button', { name: 'Show 6 coins' }));
  expect(card.getAllByRole('listitem')).toHaveLength(6);
});

test.each([
  [{ wallet: null }, 'The creator is unknown, and so are its other coins.'],
  [{}, 'No other coin of this creator was seen in 30 days.'],
  [
    { launched: 200, hasMore: true, drained: 9, drainedWithinHour: 7 },
    'Launched at least 200 other coins in 30 days · 0 migrated · 9 drained, 7 within 1 h',
  ],
  [{ launched: 1 }, 'Launched 1 other coin in 30 days · 0 migrated · 0 drained'],
])('the record of a creator in a sentence: %j', (fields, text) => {
  expect(recordText({ ...noCoins, ...fields })).toBe(text);
});

test.each([
  [{ tradesMissed: 0 }, 'Counted from the observed trades: transfers between wallets are not followed.'],
  [{ tradesMissed: 2 }, /At least 2 trades were missed, so balances can be wrong\.$/],
  [{ holdersFrom: 'accounts' as const }, 'Read from accounts now and then, not with every trade.'],
  [{ holdersFrom: 'past-trades' as const }, 'As of the last counted trade; older trades are no longer stored.'],
])('the tab Holders gives the origin of the balances: %j', async (fields, text) => {
  const user = userEvent.setup();
  rest.answer(tokenCalls.holders, [holder]);
  await shown(fields);
  await user.click(screen.getByRole('tab', { name: 'Holders' }));
  expect(await screen.findByText(text)).toBeVisible();
});

test('the tab Actions has View on explorer [S2.7-13]', async () => {
  const user = userEvent.setup();
  await shown({ metadata: { ...detail(1).metadata, cluster: 'mainnet' } });
  await user.click(screen.getByRole('tab', { name: 'Actions' }));
  expect(screen.getByRole('link', { name: 'View on explorer' })).toHaveAttribute(
    'href',
    expect.stringContaining('cluster=mainnet-beta'),
  );
});

test('shows that an unknown token is not found, with a retry [S2.7-16]', async () => {
  const user = userEvent.setup();
  rest.fail(tokenCalls.detail, 'token-not-found');
  open();
  expect(await screen.findByRole('heading', { name: 'Token Not Found' })).toBeVisible();
  expect(
    screen.getByText(`The token with address ${address(number)} could not be found or there was an error loading it.`),
  ).toBeVisible();
  rest.answer(tokenCalls.detail, detail(number));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { name: 'Market Data' })).toBeVisible();
});

test('keeps a loaded token on screen when a later fetch fails', async () => {
  const { store } = await shown();
  rest.fail(tokenCalls.detail, 'unavailable');
  act(() => liveOf(store).resynced());
  await waitFor(() => expect(rest.count(tokenCalls.detail)).toBe(2));
  expect(screen.getByRole('heading', { name: 'Market Data' })).toBeVisible();
});

test('shows the address of the metadata file as text, not a link', async () => {
  await shown({ metadata: { ...detail(1).metadata, uri: 'javascript:alert(1)' } });
  expect(screen.getByText('javascript:alert(1)').closest('a')).toBeNull();
});

test('renders figures as description lists that contain only terms and descriptions', async () => {
  await shown();
  const groups = [...document.querySelectorAll('dl > *')];
  expect(groups.length).toBeGreaterThan(10);
  for (const { children } of groups) {
    const [term, ...descriptions] = [...children].map(({ tagName }) => tagName);
    expect(term).toBe('DT');
    expect(new Set(descriptions)).toEqual(new Set(['DD']));
  }
});
