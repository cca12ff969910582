import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { alertRuleCalls } from '../../../../common/alerts/rules/http.ts';
import { defaultChannels, type TargetAlert } from '../../../../common/alerts/rules/model.ts';
import { telegramCalls } from '../../../../common/telegram/http.ts';
import { webhookCalls } from '../../../../common/webhook/http.ts';
import { fakeServerPerTest } from '../../../testing/fake-server.ts';
import { renderWithApp } from '../../../testing/render.tsx';
import { alertLines, PriceAlertDialog, PriceAlerts } from './price-alerts.tsx';

const rest = fakeServerPerTest();
const user = userEvent.setup();
const address = 'So11111111111111111111111111111111111111112';
const alert = (number: number, target: TargetAlert['target']): TargetAlert => ({
  ...{ id: String(number).padStart(24, '0'), kind: 'target', address, symbol: 'PEPEX', target, direction: 'up' },
  ...{ channels: defaultChannels, createdAt: '2026-01-01T00:00:00.000Z' },
});
const cap = alert(1, { unit: 'market-cap', value: 50_000 });

function openDialog(picked: Parameters<typeof PriceAlertDialog>[0]['picked']) {
  rest.answer(telegramCalls.link, { linked: null });
  rest.answer(webhookCalls.get, null);
  rest.answer(alertRuleCalls.createAtPrice, cap);
  renderWithApp(<PriceAlertDialog address={address} picked={picked} onClose={() => undefined} />);
}
const sent = () => rest.requests.findLast(({ method }) => method === 'POST')?.body;

test('sets an alert at a typed market cap, and explains a text that is no number', async () => {
  openDialog({ unit: 'market-cap', value: null });
  const field = screen.getByRole('textbox', { name: 'At' });
  await user.type(field, 'soon{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('Please enter a number above 0, such as 50K or 0.5.');
  await user.clear(field);
  await user.type(field, '$50K{Enter}');
  await waitFor(() =>
    expect(sent()).toEqual({ address, target: { unit: 'market-cap', value: 50_000 }, channels: defaultChannels }),
  );
});

test.each([
  ['0,5', 0.5],
  ['0,500', 0.5],
  ['1,25K', 1_250],
])('takes the comma of %s as a point', async (text, value) => {
  openDialog({ unit: 'price', value: null });
  await user.type(screen.getByRole('textbox', { name: 'At' }), `${text}{Enter}`);
  await waitFor(() => expect(sent()).toMatchObject({ target: { unit: 'price', value } }));
});

test.each(['50,000', '1,200,000', '1.200,5'])('refuses %s, which may be two numbers', async (text) => {
  openDialog({ unit: 'market-cap', value: null });
  await user.type(screen.getByRole('textbox', { name: 'At' }), `${text}{Enter}`);
  expect(await screen.findByRole('alert')).toHaveTextContent('Please enter a number above 0');
  expect(sent()).toBeUndefined();
});

test('begins with the value of a click on the axis, without an exponent', async () => {
  openDialog({ unit: 'price', value: 0.000_000_028_13 });
  expect(screen.getByRole('textbox', { name: 'At' })).toHaveValue('0.0000000281');
  await user.click(screen.getByRole('button', { name: 'Set Alert' }));
  await waitFor(() => expect(sent()).toMatchObject({ target: { unit: 'price', value: 0.000_000_028_1 } }));
});

test('says that the limit is reached', async () => {
  openDialog({ unit: 'price', value: 1 });
  rest.fail(alertRuleCalls.createAtPrice, 'limit-reached');
  await user.click(screen.getByRole('button', { name: 'Set Alert' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('You have reached the limit');
});

test('lists the alerts of a coin, each with a button that deletes it', async () => {
  rest.answer(alertRuleCalls.remove, { ok: true });
  renderWithApp(
    <PriceAlerts alerts={[cap, alert(2, { unit: 'price', value: 0.000_000_028 })]} onNew={() => undefined} />,
  );
  await user.click(screen.getByRole('button', { name: 'Delete the alert at 0.0₇2800 SOL' }));
  await waitFor(() => expect(rest.count(alertRuleCalls.remove)).toBe(1));
});

test('a line stands at the price of a market cap at the present rate, and nowhere without one', () => {
  const token = { totalSupply: '1000000000000000', decimals: 6 };
  const solUsd = { rate: 100, at: '', source: '' };
  expect(alertLines([cap], { ...token, solUsd })).toMatchObject([{ kind: 'alert', price: 5e-7, positionId: null }]);
  expect(alertLines([cap], { ...token, solUsd: null })).toEqual([]);
});
