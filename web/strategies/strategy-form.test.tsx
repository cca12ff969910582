import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { strategyCalls } from '../../common/strategies/http.ts';
import { serveStrategies } from '../auto-buy/testing/fixtures.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { findToast, sent, USER_ID } from '../testing/page.ts';
import { openPage } from './testing/strategies-page.tsx';
import { create, fill, openForm, submit } from './testing/strategy-form.tsx';

const server = fakeServerPerTest();

const bodies = () => sent(server, 'POST', '/api/buying-strategies');
const activeSwitch = () => screen.getByRole('switch', { name: 'Active' });
const openTab = (name: string) => userEvent.click(screen.getByRole('tab', { name }));

/** Values that requests of the form have unless a test changes them. */
const unchanged = {
  userId: USER_ID,
  type: 'time_based',
  configuration: { timeConfig: { option: 'buy_immediately' } },
  buyAmount: 0.05,
  maxSlippage: 3,
  buyUnknownRisk: false,
  buyWithinSeconds: 60,
};

test('has the defaults 0.05 SOL, 3 %, stop loss 10 %, take profit 20 %, time based and active [S9-19, S5-21]', async () => {
  await openForm(server);
  expect(screen.getByLabelText('Buy amount')).toHaveValue(0.05);
  expect(screen.getByLabelText('Max slippage')).toHaveValue(3);
  expect(screen.getByLabelText('Stop loss')).toHaveValue(10);
  expect(screen.getByLabelText('Take profit')).toHaveValue(20);
  expect(screen.getByLabelText('Strategy type')).toHaveTextContent('Time based');
  expect(activeSwitch()).toBeChecked();
});

test("only 'Buy immediately' is limited to 60 s after detection, until the user sets another limit", async () => {
  await openForm(server);
  const within = () => screen.getByLabelText<HTMLInputElement>('Only within').value;
  expect(within()).toBe('60');
  expect(screen.getByText(/, only within 1 min of its detection\.$/)).toBeVisible();
  await fill({ 'Time option': 'Buy after a duration' });
  expect(within()).toBe('');
  await fill({ 'Time option': 'Buy immediately' });
  expect(within()).toBe('60');
  await fill({ 'Strategy type': 'Holder based' });
  expect(within()).toBe('');
  await fill({ 'Only within': '90', 'Strategy type': 'Time based' });
  expect(within()).toBe('90');
  await create({ Name: 'Mine', 'Only within': '' });
  expect(bodies()[0]).not.toHaveProperty('buyWithinSeconds');
});

test('states that only later tokens are bought [T-31]', async () => {
  await openForm(server);
  expect(activeSwitch()).toHaveAccessibleDescription('Buys only tokens that are detected after it is switched on.');
});

test('offers five types [S5-17]', async () => {
  await openForm(server);
  await userEvent.click(screen.getByLabelText('Strategy type'));
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'Time based',
    'Price based',
    'Liquidity based',
    'Mixed',
    'Holder based',
  ]);
});

describe('validation', () => {
  test.each([
    ['S5-16', 'Name', '', 'Name must be at least 2 characters'],
    ['S5-16', 'Name', 'a', 'Name must be at least 2 characters'],
    ['S5-18', 'Buy amount', '0.0009', 'Minimum buy amount is 0.001'],
    ['S5-18', 'Buy amount', '', 'Minimum buy amount is 0.001'],
    ['S5-19', 'Max slippage', '0.09', 'Minimum slippage is 0.1%'],
    ['S5-19', 'Max slippage', '50.1', 'Maximum slippage is 50%'],
  ])("%s: rejects %s '%s' with '%s'", async (_id, label, text, error) => {
    await openForm(server);
    await submit({ Name: 'Mine', [label]: text });
    expect(await screen.findByText(error)).toBeVisible();
    expect(screen.getByLabelText(label)).toHaveAttribute('aria-invalid', 'true');
    expect(bodies()).toEqual([]);
  });

  test('accepts the bounds themselves [S5-18, S5-19]', async () => {
    await openForm(server);
    await create({ Name: 'ab', 'Buy amount': '0.001', 'Max slippage': '50' });
    expect(bodies()).toMatchObject([{ name: 'ab', buyAmount: 0.001, maxSlippage: 50 }]);
  });
});

test('creates a strategy from the required fields and returns to Overview [S7.2-05, S7.2-06, S5-20, S2.10-07, S8.5-05]', async () => {
  await openForm(server);
  const toast = await create({ Name: 'Mine', 'Stop loss': '', 'Take profit': '' });
  expect(toast).toHaveTextContent('Your auto-buy strategy has been created successfully');
  expect(bodies()).toEqual([{ ...unchanged, name: 'Mine', description: '', isActive: true }]);
  expect(screen.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true');
  expect(await screen.findByRole('article', { name: 'Mine' })).toBeVisible();
  // The form is reset for the next strategy.
  await openTab('Create Strategy');
  expect(screen.getByLabelText('Name')).toHaveValue('');
  expect(screen.getByLabelText('Stop loss')).toHaveValue(10);
});

test('the next strategy starts from the defaults, in every field', async () => {
  const numbers = [
    'Buy amount',
    'Max slippage',
    'Stop loss',
    'Take profit',
    'Min liquidity',
    'Max scam probability',
    'Only within',
  ];
  const values = () => numbers.map((label) => screen.getByLabelText<HTMLInputElement>(label).value);
  await openForm(server);
  const defaults = values();
  expect(defaults).toEqual(['0.05', '3', '10', '20', '', '', '60']);
  await fill(Object.fromEntries(numbers.map((label) => [label, '7'])));
  await userEvent.click(activeSwitch());
  await create({ Name: 'Mine', Description: 'All of it', 'Time option': 'Buy after a duration', Duration: '120' });
  await openTab('Create Strategy');
  expect(values()).toEqual(defaults);
  expect(screen.getByLabelText('Description')).toHaveValue('');
  expect(activeSwitch()).toBeChecked();
  await fill({ 'Time option': 'Buy after a duration' });
  expect(screen.getByLabelText('Duration')).toHaveValue(null);
  await submit({ 'Time option': 'Buy immediately', Name: 'Next' });
  await waitFor(() => expect(bodies()).toHaveLength(2));
  expect(bodies()[1]).not.toHaveProperty('minLiquidity');
  expect(bodies()[1]).not.toHaveProperty('maxScamProbability');
});

test('sends every field [S7.2-05]', async () => {
  await openForm(server);
  await userEvent.click(activeSwitch());
  await create({ Name: 'Full', Description: 'All of it', 'Min liquidity': '2.5', 'Max scam probability': '0' });
  const limits = { stopLoss: 10, takeProfit: 20, minLiquidity: 2.5, maxScamProbability: 0 };
  expect(bodies()).toEqual([{ ...unchanged, ...limits, name: 'Full', description: 'All of it', isActive: false }]);
});

test('a failure shows an error and keeps the input across tabs; Try again resends it [S8.5-02]', async () => {
  await openForm(server);
  server.fail(strategyCalls.create, 'internal');
  await submit({ Name: 'Mine' });
  const toast = await findToast('Error');
  expect(toast).toHaveTextContent('Failed to create strategy. Please try again.');
  expect(toast).toHaveAttribute('data-variant', 'destructive');
  expect(screen.getByText('Something went wrong on our side. Please try again.')).toBeVisible();
  await openTab('Overview');
  await openTab('Create Strategy');
  expect(screen.getByLabelText('Name')).toHaveValue('Mine');
  serveStrategies(server);
  await userEvent.click(within(toast).getByRole('button', { name: 'Try again' }));
  await findToast('Strategy created');
  expect(bodies()).toMatchObject([{ name: 'Mine' }, { name: 'Mine' }]);
});

test("the server's error about a field appears beside it", async () => {
  await openForm(server);
  const details = { 'configuration.timeConfig': ['is missing'], name: ['is taken'] };
  server.reply(strategyCalls.create, () =>
    json({ error: 'Some of the input is not valid.', code: 'invalid-input', details }, 400),
  );
  await submit({ Name: 'Mine' });
  expect(await screen.findByText('is taken')).toBeVisible();
});

test('sends nothing without a user [S8.5-01]', async () => {
  openPage(null);
  await openTab('Create Strategy');
  await submit({ Name: 'Mine' });
  expect(await findToast('Not logged in')).toHaveTextContent('You must be logged in to create buying strategies');
  expect(server.requests.filter(({ path }) => path.startsWith('/api/buying-strategies'))).toHaveLength(0);
});

test("a session that has ended meanwhile shows 'Not logged in' [S8.5-01]", async () => {
  await openForm(server);
  server.fail(strategyCalls.create, 'unauthenticated');
  await submit({ Name: 'Mine' });
  expect(await findToast('Not logged in')).toHaveTextContent('You must be logged in to create buying strategies');
  expect(screen.queryByText('Failed to create strategy. Please try again.')).toBeNull();
});

test('the sentence follows the input, also for a strategy that never buys', async () => {
  await openForm(server);
  const sentence = () => screen.getByRole('region', { name: 'What this comes to' });
  expect(sentence()).toHaveTextContent(
    'Buys 0.05 SOL of a token as soon as it is detected, if it has a known risk, only',
  );
  await fill({ 'Buy amount': '0.2', 'Min liquidity': '3' });
  expect(sentence()).toHaveTextContent(
    'Buys 0.2 SOL of a token as soon as it is detected, if it has at least 3 SOL of liquidity and a known risk, only',
  );
  const anyRisk = screen.getByRole('switch', { name: 'Buy at unknown risk' });
  expect(anyRisk).not.toBeChecked();
  expect(screen.queryByText(/Unknown is not low/)).toBeNull();
  await userEvent.click(anyRisk);
  expect(screen.getByText(/Unknown is not low.*this strategy then buys without any check/)).toBeVisible();
  expect(sentence()).toHaveTextContent('if it has at least 3 SOL of liquidity, only within');
  await fill({ 'Time option': 'Buy after a duration' });
  expect(sentence()).toHaveTextContent('Never buys: ');
  await fill({ Duration: '120' });
  expect(sentence()).toHaveTextContent(/as soon as 2 min have passed since its detection/);
  await fill({ 'Buy amount': '' });
  expect(sentence()).toHaveTextContent('Enter a buy amount to see when it would buy.');
});

test('refetches the list after a create [S7.2-09]', async () => {
  await openForm(server);
  await waitFor(() => expect(server.count(strategyCalls.list)).toBe(1));
  await create({ Name: 'Mine' });
  await waitFor(() => expect(server.count(strategyCalls.list)).toBe(2));
});
