import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ruleCalls } from '../../common/rules/http.ts';
import { strategyCalls } from '../../common/strategies/http.ts';
import { defaultStrategy } from '../../common/strategies/model.ts';
import type { Preview as Outcome, WouldBuy } from '../../common/strategies/preview.ts';
import { StoreProvider } from '../store.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { cellTexts } from '../testing/page.ts';
import { renderWithApp } from '../testing/render.tsx';
import { settle } from '../testing/settle.ts';
import { Preview } from './preview.tsx';
import type { PreviewTarget } from './use-preview.ts';

const AT = '2026-09-01T12:00:00.000Z';

const held: WouldBuy = {
  address: 'So11111111111111111111111111111111111111112',
  name: 'Moon Otter',
  symbol: 'OTTR',
  at: AT,
  price: 0.000_001_234,
  priceNow: 0.000_002,
  change: 62.07,
  best: 80,
  worst: -5,
  sold: null,
  feesLamports: 1_500_000,
  resultLamports: 62_000_000,
};
const sold: WouldBuy = {
  ...held,
  address: 'So11111111111111111111111111111111111111113',
  symbol: 'SOLD',
  change: null,
  sold: { by: 'stop loss', at: AT, change: -12 },
  feesLamports: null,
  resultLamports: null,
};

function outcome(fields: Partial<Outcome> = {}): Outcome {
  return {
    ...{ total: 2, buys: [held, sold], checked: 1240, leftOut: 0, unknown: 0, from: AT, to: AT },
    ...{ tooLarge: 0, refusedByRisk: 0, uncomputed: 0 },
    sums: { resultLamports: 62_000_000, feesLamports: 1_500_000, rentLamports: 0 },
    ...fields,
  };
}

const rest = fakeServerPerTest();
afterEach(() => void vi.useRealTimers());

const amounts = { buyAmount: 0.1, maxSlippage: 5, minLiquidity: 0.5 };
const ruleWith = (maxRisk: number): PreviewTarget => ({ kind: 'rule', input: { ...amounts, maxRisk } });
const button = () => screen.getByRole('button', { name: 'Run preview' });

/** Shows the section with these values. `change` renders new ones, which needs no router. */
function show(props = ruleWith(30)) {
  const { rerender, store, unmount } = renderWithApp(<Preview {...props} />);
  const change = (next: PreviewTarget) =>
    rerender(
      <StoreProvider store={store}>
        <Preview {...next} />
      </StoreProvider>,
    );
  return { change, unmount };
}

/** Shows the section with these values and runs the preview, which has this outcome. */
async function run(fields: Partial<Outcome> = {}, props = ruleWith(30)): Promise<void> {
  rest.answer(props.kind === 'rule' ? ruleCalls.preview : strategyCalls.preview, outcome(fields));
  show(props);
  await userEvent.click(button());
}

test('sends no request until the button is pressed, then shows the purchases', async () => {
  rest.answer(ruleCalls.preview, outcome());
  show();
  expect(screen.getByText(/over the stored prices of the last 8 h\. Nothing is bought\./)).toBeVisible();
  expect(rest.count(ruleCalls.preview)).toBe(0);
  await userEvent.click(button());
  expect(await screen.findByText(/^Would have bought 2 of 1,240 tokens in the last 8 h: /)).toHaveTextContent(
    '8 h: +0.0620 SOL after all fees',
  );
  expect(screen.getByText(/Risk is the current value/)).toBeVisible();
  expect(rest.requests[0]?.body).toEqual({ ...amounts, maxRisk: 30, buyUnknownRisk: false, buyWithinSeconds: null });
  // The user's default exits sell what a rule has bought.
  expect(screen.getByText('Sold by')).toBeInTheDocument();
});

test('lists purchases with prices, signed changes and the reason of the sale', async () => {
  await run({}, { kind: 'strategy', input: defaultStrategy });
  const [, first, second] = within(await screen.findByRole('table')).getAllByRole('row');
  expect(cellTexts(first).slice(2)).toEqual([
    '0.0₅1234',
    '0.0₅2000',
    '▲ +62.07%',
    '▲ +80.00%',
    '▼ −5.00%',
    '–still held',
    '+0.0620 SOL',
  ]);
  expect(cellTexts(second).slice(4)).toEqual(['–', '▲ +80.00%', '▼ −5.00%', 'Stop loss ▼ −12.00%', '–']);
  const link = screen.getByRole('link', { name: /OTTR/ });
  expect(link).toHaveAttribute('href', `/app/tokens/${held.address}`);
  expect(link).toHaveAttribute('target', '_blank');
});

test('a strategy is sent without irrelevant fields, so its name may be missing', async () => {
  const uptrend = { type: 'price_based', configuration: { priceConfig: { option: 'buy_at_uptrend' } } } as const;
  await run({ total: 0, buys: [] }, { kind: 'strategy', input: { ...defaultStrategy, ...uptrend } });
  expect(await screen.findByText('Would have bought none of 1,240 tokens in the last 8 h')).toBeVisible();
  expect(screen.queryByRole('table')).toBeNull();
  expect(rest.requests[0]?.body).toEqual({
    ...uptrend,
    buyAmount: 0.05,
    maxSlippage: 3,
    stopLoss: 10,
    takeProfit: 20,
    buyUnknownRisk: false,
    buyWithinSeconds: 60,
  });
});

test('shows which tokens the figures leave out', async () => {
  await run({ total: 70, leftOut: 6600, unknown: 35 });
  await screen.findByText(/Would have bought 70/);
  expect(screen.getByText(/6,600 older ones were left out\./)).toHaveTextContent(
    /35 were not bought because a required value is unknown\. The newest 2 purchases are listed\./,
  );
});

test('shows the costs in all, the purchases without a result, and those refused by slippage or risk [T-42]', async () => {
  const sums = { resultLamports: -30_000_000, feesLamports: 2_500_000, rentLamports: 2_074_080 };
  await run({ uncomputed: 1, tooLarge: 3, refusedByRisk: 1240, sums });
  expect(await screen.findByText(/^Would have bought 2/)).toHaveTextContent(
    /: −0\.0300 SOL after all fees, without budget$/,
  );
  const note = screen.getByText(/^Each trade pays fees and its own impact on the price/);
  expect(note).toHaveTextContent(/0\.0025 SOL of fees in all\. 0\.0021 SOL of rent come back when the rest is sold\./);
  expect(note).toHaveTextContent(/1 has no result: the depth of the market is unknown\./);
  expect(note).toHaveTextContent(/3 more would move the price beyond your slippage, so they are not bought\./);
  expect(note).toHaveTextContent(/Whatever the risk, 1,240 more would be bought; their present risk refuses them\./);
});

test('shows no result while none can be computed', async () => {
  await run({ uncomputed: 2 });
  expect(await screen.findByText(/^Would have bought 2/)).toHaveTextContent(/in the last 8 h$/);
});

test('invalid values are not sent', async () => {
  show({ kind: 'rule', input: { ...amounts, minLiquidity: Number.NaN, maxRisk: 30 } });
  expect(button()).toBeDisabled();
  expect(screen.getByText('Correct the values of this rule to see what it would have bought.')).toBeVisible();
  expect(rest.requests).toEqual([]);
});

test('shows an error with a retry button', async () => {
  rest.fail(ruleCalls.preview, 'too-many-requests');
  show();
  await userEvent.click(button());
  expect(await screen.findByRole('alert')).toHaveTextContent('Too many attempts. Please wait a moment and try again.');
  rest.answer(ruleCalls.preview, outcome());
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText(/Would have bought 2/)).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('shows that it is loading, and keeps the last result until the next one arrives', async () => {
  const responses: (() => void)[] = [];
  rest.reply(ruleCalls.preview, () => new Promise((resolve) => responses.push(() => resolve(json(outcome())))));
  show();
  await userEvent.click(button());
  expect(screen.getByRole('status', { name: 'Going through the stored prices' })).toBeVisible();
  expect(button()).toHaveAttribute('aria-busy', 'true');
  await waitFor(() => expect(responses).toHaveLength(1));
  await settle(async () => responses[0]?.());
  await screen.findByText(/Would have bought 2/);
  await userEvent.click(button());
  expect(screen.getByText(/Would have bought 2/)).toBeVisible();
  expect(button()).toHaveAttribute('aria-busy', 'true');
});

test('after the first run, sends changed values after a pause, one request at a time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const responses: (() => void)[] = [];
  rest.reply(ruleCalls.preview, () => new Promise((resolve) => responses.push(() => resolve(json(outcome())))));
  const { change } = show();
  change(ruleWith(35));
  await settle(() => vi.advanceTimersByTimeAsync(5000));
  // The button has not been pressed yet.
  expect(responses).toHaveLength(0);

  await settle(async () => button().click());
  expect(responses).toHaveLength(1);
  change(ruleWith(40));
  await settle(() => vi.advanceTimersByTimeAsync(5000));
  // The first request is still pending.
  expect(responses).toHaveLength(1);
  await settle(async () => responses[0]?.());
  change(ruleWith(45));
  await settle(() => vi.advanceTimersByTimeAsync(590));
  change(ruleWith(50));
  await settle(() => vi.advanceTimersByTimeAsync(590));
  expect(responses).toHaveLength(1);
  await settle(() => vi.advanceTimersByTimeAsync(20));
  expect(responses).toHaveLength(2);
  expect(rest.requests.at(-1)?.body).toEqual({
    ...amounts,
    maxRisk: 50,
    buyUnknownRisk: false,
    buyWithinSeconds: null,
  });
  await settle(async () => responses[1]?.());
  await settle(() => vi.advanceTimersByTimeAsync(5000));
  expect(responses).toHaveLength(2);
});

test('aborts the request when the form is closed', async () => {
  rest.reply(ruleCalls.preview, () => new Promise(() => {}));
  const { unmount } = show();
  await userEvent.click(button());
  await waitFor(() => expect(rest.requests).toHaveLength(1));
  unmount();
  expect(rest.requests[0]?.signal?.aborted).toBe(true);
});
