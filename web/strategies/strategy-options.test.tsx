import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { sent } from '../testing/page.ts';
import { create, fill, openForm } from './testing/strategy-form.tsx';

const server = fakeServerPerTest();

/** Title of the only section of each type. */
const sectionOf = {
  'Price based': 'Price',
  'Liquidity based': 'Liquidity',
  'Holder based': 'Holders',
  'Time based': 'Time',
} as const;
type StrategyTypeLabel = keyof typeof sectionOf;

const titles = ['Time', 'Price', 'Liquidity', 'Holders'];
const sections = () => titles.filter((title) => screen.queryByRole('group', { name: title }) !== null);
const sentence = () => screen.getByRole('region', { name: 'What this comes to' });

/** Creates the strategy and returns the request body. */
async function created(): Promise<unknown> {
  await create({ Name: 'Mine' });
  const [body, ...more] = sent(server, 'POST', '/api/buying-strategies');
  expect(more).toEqual([]);
  return body;
}

test('the type selects the section [S2.10-08]', async () => {
  await openForm(server);
  expect(sections()).toEqual(['Time']);
  for (const [type, section] of Object.entries(sectionOf)) {
    await fill({ 'Strategy type': type });
    expect(sections()).toEqual([section]);
  }
});

test('a mixed strategy has all four sections and an explained switch for all conditions, off by default [S2.10-09, S2.10-11, S5-21]', async () => {
  await openForm(server);
  expect(screen.queryByRole('switch', { name: 'Require all conditions' })).toBeNull();
  await fill({ 'Strategy type': 'Mixed' });
  expect(sections()).toEqual(titles);
  const all = screen.getByRole('switch', { name: 'Require all conditions' });
  expect(all).not.toBeChecked();
  expect(all).toHaveAccessibleDescription('Off: any one condition triggers a buy.');
  await userEvent.click(all);
  expect(all).toHaveAccessibleDescription('On: all conditions must be met to buy.');
});

/** Limits in the hints of fields, by their label; a field without them is not checked. */
type Hints = Readonly<Record<string, readonly [min?: string, max?: string]>>;

/** Checks the hints of the fields, and that a value below them is sent. */
async function checkHints(hints: Hints): Promise<void> {
  const checked = Object.entries(hints).filter(([, limits]) => limits.length > 0);
  for (const [label, [min, max]] of checked) {
    const field = screen.getByLabelText(label);
    expect(field.getAttribute('min')).toBe(min);
    expect(field.getAttribute('max')).toBe(max ?? null);
    const hint = max === undefined ? `at least ${min}` : `${min} to ${max}`;
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')).toHaveTextContent(hint);
    // A value below the hint is accepted.
    await fill({ [label]: String(Number(min) - 1) });
  }
  if (checked.length > 0) await created();
}

test.each<[type: StrategyTypeLabel, option: string, hints: Hints]>([
  ['Time based', 'Buy immediately', {}],
  ['Time based', 'Buy after a duration', { Duration: ['1'] }],
  ['Time based', 'Buy at a time', { 'Target time': [] }],
  ['Time based', 'Buy within a time frame', { 'Start time': [], 'End time': [] }],
  ['Price based', 'Buy at a fixed price', { 'Target price': ['0.000001'] }],
  ['Price based', 'Buy at a percentage from the low', { 'Percentage from low': ['1', '100'] }],
  ['Price based', 'Buy in an uptrend', { 'Trend percentage': ['0.1'], 'Trend duration': ['1'] }],
  ['Price based', 'Buy in a downtrend', { 'Trend percentage': [], 'Trend duration': [] }],
  ['Liquidity based', 'Buy at a minimum liquidity', { 'Target liquidity': ['0.1'] }],
  ['Liquidity based', 'Buy when liquidity increases', { 'Percentage change': ['1'], 'Monitor duration': ['1'] }],
  ['Liquidity based', 'Buy when liquidity decreases', { 'Percentage change': [], 'Monitor duration': [] }],
  ['Holder based', 'Buy at a minimum of holders', { 'Minimum holders': ['1'] }],
  ['Holder based', 'Buy when holders increase', { 'Increase rate': ['1'], 'Monitor duration': ['1'] }],
])('%s, %s shows the fields %j without enforcing their hints [S2.10-10, S5-22, S5-23]', async (type, option, hints) => {
  await openForm(server, { 'Strategy type': type, [`${sectionOf[type]} option`]: option });
  const inputs = [...screen.getByRole('group').querySelectorAll('input')];
  expect(inputs.map((input) => input.labels?.[0]?.textContent)).toEqual(Object.keys(hints));
  await checkHints(hints);
});

test('shows the hints of the limits of every strategy without enforcing them [S5-22, S5-23]', async () => {
  await openForm(server);
  await checkHints({
    'Stop loss': ['1', '99'],
    'Take profit': ['1'],
    'Min liquidity': ['0.1'],
    'Max scam probability': ['0', '100'],
  });
});

test('times use a date-time picker in the browser time zone [S2.10-10]', async () => {
  await openForm(server, { 'Time option': 'Buy within a time frame' });
  const times = { 'Start time': '2026-12-01T10:00:00', 'End time': '2026-12-01T11:30:00' };
  for (const [label, value] of Object.entries(times)) {
    expect(screen.getByLabelText(label)).toHaveAttribute('type', 'datetime-local');
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  }
  expect(sentence()).toHaveTextContent('between 2026-12-01 10:00:00 and 2026-12-01 11:30:00');
  const [startTime, endTime] = Object.values(times).map((time) => new Date(time).toISOString());
  expect(await created()).toMatchObject({
    type: 'time_based',
    configuration: { timeConfig: { option: 'buy_within_timeframe', startTime, endTime } },
  });
});

test('sends only the fields that the type and its option use [S7.2-06]', async () => {
  await openForm(server, { 'Time option': 'Buy after a duration', Duration: '60' });
  await fill({ 'Strategy type': 'Price based', 'Target price': '0.000002' });
  await fill({ 'Price option': 'Buy in an uptrend', 'Trend percentage': '12.5', 'Trend duration': '30' });
  const body = await created();
  expect(body).toMatchObject({
    type: 'price_based',
    configuration: { priceConfig: { option: 'buy_at_uptrend', trendPercentage: 12.5, trendDuration: 30 } },
  });
  expect(JSON.stringify(body)).not.toMatch(/timeConfig|duration"|targetPrice|used|requireAll/);
});

test('input survives a change of option and type', async () => {
  await openForm(server, { 'Time option': 'Buy after a duration', Duration: '60', 'Strategy type': 'Holder based' });
  await fill({ 'Strategy type': 'Time based' });
  expect(screen.getByLabelText('Duration')).toHaveValue(60);
  await fill({ 'Time option': 'Buy immediately' });
  await fill({ 'Time option': 'Buy after a duration' });
  expect(screen.getByLabelText('Duration')).toHaveValue(60);
});

test('a mixed strategy has the selected conditions and whether all are required [S2.10-09, S2.10-11, S7.2-06]', async () => {
  await openForm(server, { 'Strategy type': 'Mixed', 'Time option': 'Buy immediately' });
  await userEvent.click(screen.getByRole('switch', { name: 'Require all conditions' }));
  await fill({ 'Price option': 'Buy at a percentage from the low', 'Percentage from low': '25' });
  await fill({ 'Liquidity option': 'Buy when liquidity increases' });
  await fill({ 'Percentage change': '50', 'Monitor duration': '300' });
  await fill({ 'Holders option': 'Buy at a minimum of holders', 'Minimum holders': '40' });
  await fill({ 'Time option': 'No condition', 'Holders option': 'No condition' });
  expect(sentence()).toHaveTextContent(
    'its price has risen 25% above its lowest since detection and its liquidity has risen 50% within 5 min',
  );
  const body = await created();
  expect(body).toMatchObject({ type: 'mixed' });
  expect(body).toHaveProperty('configuration', {
    priceConfig: { option: 'buy_at_percentage_from_low', percentageFromLow: 25 },
    liquidityConfig: { option: 'buy_at_liquidity_increase', percentageChange: 50, monitorDuration: 300 },
    requireAllConditions: true,
  });
});

test('a mixed strategy starts without conditions and shows that it never buys [S5-21]', async () => {
  await openForm(server, { 'Strategy type': 'Mixed' });
  for (const title of titles) expect(screen.getByLabelText(`${title} option`)).toHaveTextContent('No condition');
  expect(sentence()).toHaveTextContent('Never buys until at least one condition is chosen.');
  await fill({ 'Time option': 'Buy immediately' });
  expect(sentence()).toHaveTextContent('as soon as it is detected');
  await fill({ 'Time option': 'No condition' });
  expect(await created()).toHaveProperty('configuration', { requireAllConditions: false });
});

test('warns about the consequence of a time in the past, not of one in the future', async () => {
  await openForm(server, { 'Time option': 'Buy at a time' });
  const field = screen.getByLabelText('Target time');
  fireEvent.change(field, { target: { value: '2020-01-01T10:00:00' } });
  expect(field).toHaveAccessibleDescription(/This time has passed: every token detected before it/);
  fireEvent.change(field, { target: { value: '2100-01-01T10:00:00' } });
  expect(field).toHaveAccessibleDescription('In your time zone');
});
