import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { serveStrategies } from '../auto-buy/testing/fixtures.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { findToast, sent } from '../testing/page.ts';
import { choose, openForm, type } from './testing/strategy-form.tsx';

const server = fakeServerPerTest();

beforeEach(() => {
  serveStrategies(server);
});

const sections = () =>
  ['Time', 'Price', 'Liquidity', 'Holders'].filter((title) => screen.queryByRole('group', { name: title }) !== null);

/** Creates the strategy and returns the request body. */
async function created(): Promise<unknown> {
  await type('Name', 'Mine');
  await userEvent.click(screen.getByRole('button', { name: 'Create Strategy' }));
  await findToast('Strategy created');
  const [body, ...more] = sent(server, 'POST', '/api/buying-strategies');
  expect(more).toEqual([]);
  return body;
}

const typeOf = (label: string) => choose('Strategy type', label);

test('the type selects the section [S2.10-08]', async () => {
  await openForm();
  expect(sections()).toEqual(['Time']);
  for (const [label, section] of [
    ['Price based', 'Price'],
    ['Liquidity based', 'Liquidity'],
    ['Holder based', 'Holders'],
    ['Time based', 'Time'],
  ] as const) {
    await typeOf(label);
    expect(sections()).toEqual([section]);
  }
});

test('a mixed strategy has all four sections and an explained switch for all conditions, off by default [S2.10-09, S2.10-11, S5-21]', async () => {
  await openForm();
  expect(screen.queryByRole('switch', { name: 'Require all conditions' })).toBeNull();
  await typeOf('Mixed');
  expect(sections()).toEqual(['Time', 'Price', 'Liquidity', 'Holders']);
  const all = screen.getByRole('switch', { name: 'Require all conditions' });
  expect(all).not.toBeChecked();
  expect(all).toHaveAccessibleDescription('Off: any one condition triggers a buy.');
  await userEvent.click(all);
  expect(all).toHaveAccessibleDescription('On: all conditions must be met to buy.');
});

/** A field with the limits that its hint gives; without `min` its hint is not checked. */
type Field = readonly [label: string, min?: string, max?: string];

/** Checks the hints of the fields, and that a value below them is sent. */
async function checkHints(fields: readonly Field[]): Promise<void> {
  for (const [label, min, max] of fields) {
    if (min === undefined) continue;
    const field = screen.getByLabelText(label);
    expect(field.getAttribute('min')).toBe(min);
    expect(field.getAttribute('max')).toBe(max ?? null);
    const hint = max === undefined ? `at least ${min}` : `${min} to ${max}`;
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')).toHaveTextContent(hint);
    // A value below the hint is accepted.
    await type(label, String(Number(min) - 1));
  }
  if (fields.some(([, min]) => min !== undefined)) await created();
}

test.each<[kind: string, label: string, option: string, fields: Field[]]>([
  ['Time based', 'Time option', 'Buy immediately', []],
  ['Time based', 'Time option', 'Buy after a duration', [['Duration', '1']]],
  ['Time based', 'Time option', 'Buy at a time', [['Target time']]],
  ['Time based', 'Time option', 'Buy within a time frame', [['Start time'], ['End time']]],
  ['Price based', 'Price option', 'Buy at a fixed price', [['Target price', '0.000001']]],
  ['Price based', 'Price option', 'Buy at a percentage from the low', [['Percentage from low', '1', '100']]],
  [
    'Price based',
    'Price option',
    'Buy in an uptrend',
    [
      ['Trend percentage', '0.1'],
      ['Trend duration', '1'],
    ],
  ],
  ['Price based', 'Price option', 'Buy in a downtrend', [['Trend percentage'], ['Trend duration']]],
  ['Liquidity based', 'Liquidity option', 'Buy at a minimum liquidity', [['Target liquidity', '0.1']]],
  [
    'Liquidity based',
    'Liquidity option',
    'Buy when liquidity increases',
    [
      ['Percentage change', '1'],
      ['Monitor duration', '1'],
    ],
  ],
  [
    'Liquidity based',
    'Liquidity option',
    'Buy when liquidity decreases',
    [['Percentage change'], ['Monitor duration']],
  ],
  ['Holder based', 'Holders option', 'Buy at a minimum of holders', [['Minimum holders', '1']]],
  [
    'Holder based',
    'Holders option',
    'Buy when holders increase',
    [
      ['Increase rate', '1'],
      ['Monitor duration', '1'],
    ],
  ],
])(
  '%s, %s, %s shows the fields %j without enforcing their hints [S2.10-10, S5-22, S5-23]',
  async (kind, label, option, fields) => {
    await openForm();
    await typeOf(kind);
    await choose(label, option);
    const shown = [...screen.getByRole('group').querySelectorAll('input')].map(
      (input) => input.labels?.[0]?.textContent,
    );
    expect(shown).toEqual(fields.map(([field]) => field));
    await checkHints(fields);
  },
);

test('shows the hints of the limits of every strategy without enforcing them [S5-22, S5-23]', async () => {
  await openForm();
  await checkHints([
    ['Stop loss', '1', '99'],
    ['Take profit', '1'],
    ['Min liquidity', '0.1'],
    ['Max scam probability', '0', '100'],
  ]);
});

test('times use a date-time picker in the browser time zone [S2.10-10]', async () => {
  await openForm();
  await choose('Time option', 'Buy within a time frame');
  for (const [label, value] of [
    ['Start time', '2026-12-01T10:00:00'],
    ['End time', '2026-12-01T11:30:00'],
  ] as const) {
    expect(screen.getByLabelText(label)).toHaveAttribute('type', 'datetime-local');
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  }
  expect(screen.getByRole('region', { name: 'What this comes to' })).toHaveTextContent(
    'between 2026-12-01 10:00:00 and 2026-12-01 11:30:00',
  );
  const startTime = new Date('2026-12-01T10:00:00').toISOString();
  const endTime = new Date('2026-12-01T11:30:00').toISOString();
  expect(await created()).toMatchObject({
    type: 'time_based',
    configuration: { timeConfig: { option: 'buy_within_timeframe', startTime, endTime } },
  });
});

test('sends only the fields that the type and its option use [S7.2-06]', async () => {
  await openForm();
  await choose('Time option', 'Buy after a duration');
  await type('Duration', '60');
  await typeOf('Price based');
  await type('Target price', '0.000002');
  await choose('Price option', 'Buy in an uptrend');
  await type('Trend percentage', '12.5');
  await type('Trend duration', '30');
  expect(await created()).toMatchObject({
    type: 'price_based',
    configuration: { priceConfig: { option: 'buy_at_uptrend', trendPercentage: 12.5, trendDuration: 30 } },
  });
  const [body] = sent(server, 'POST', '/api/buying-strategies');
  expect(JSON.stringify(body)).not.toMatch(/timeConfig|duration"|targetPrice|used|requireAll/);
});

test('input survives a change of option and type', async () => {
  await openForm();
  await choose('Time option', 'Buy after a duration');
  await type('Duration', '60');
  await typeOf('Holder based');
  await typeOf('Time based');
  expect(screen.getByLabelText('Duration')).toHaveValue(60);
  await choose('Time option', 'Buy immediately');
  await choose('Time option', 'Buy after a duration');
  expect(screen.getByLabelText('Duration')).toHaveValue(60);
});

test('a mixed strategy has the selected conditions and whether all are required [S2.10-09, S2.10-11, S7.2-06]', async () => {
  await openForm();
  await typeOf('Mixed');
  await userEvent.click(screen.getByRole('switch', { name: 'Require all conditions' }));
  await choose('Time option', 'Buy immediately');
  await choose('Time option', 'No condition');
  await choose('Price option', 'Buy at a percentage from the low');
  await type('Percentage from low', '25');
  await choose('Liquidity option', 'Buy when liquidity increases');
  await type('Percentage change', '50');
  await type('Monitor duration', '300');
  await choose('Holders option', 'Buy at a minimum of holders');
  await type('Minimum holders', '40');
  await choose('Holders option', 'No condition');
  expect(screen.getByRole('region', { name: 'What this comes to' })).toHaveTextContent(
    'its price has risen 25% above its lowest since detection and its liquidity has risen 50% within 5 min',
  );
  expect(await created()).toMatchObject({ type: 'mixed' });
  const [body] = sent(server, 'POST', '/api/buying-strategies');
  expect(body).toHaveProperty('configuration', {
    priceConfig: { option: 'buy_at_percentage_from_low', percentageFromLow: 25 },
    liquidityConfig: { option: 'buy_at_liquidity_increase', percentageChange: 50, monitorDuration: 300 },
    requireAllConditions: true,
  });
});

test('a mixed strategy starts without conditions and shows that it never buys [S5-21]', async () => {
  await openForm();
  await typeOf('Mixed');
  for (const title of ['Time', 'Price', 'Liquidity', 'Holders']) {
    expect(screen.getByLabelText(`${title} option`)).toHaveTextContent('No condition');
  }
  const comesTo = screen.getByRole('region', { name: 'What this comes to' });
  expect(comesTo).toHaveTextContent('Never buys until at least one condition is chosen.');
  await choose('Time option', 'Buy immediately');
  expect(comesTo).toHaveTextContent('as soon as it is detected');
  await choose('Time option', 'No condition');
  expect(await created()).toHaveProperty('configuration', { requireAllConditions: false });
});

test('warns about the consequence of a time in the past, not of one in the future', async () => {
  await openForm();
  await choose('Time option', 'Buy at a time');
  const field = screen.getByLabelText('Target time');
  fireEvent.change(field, { target: { value: '2020-01-01T10:00:00' } });
  expect(field).toHaveAccessibleDescription(/This time has passed: every token detected before it/);
  fireEvent.change(field, { target: { value: '2100-01-01T10:00:00' } });
  expect(field).toHaveAccessibleDescription('In your time zone');
});
