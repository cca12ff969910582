import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { errors } from '../../common/errors.ts';
import { ruleCalls } from '../../common/rules/http.ts';
import type { Rule } from '../../common/rules/model.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import { rule, serveRules } from '../auto-buy/testing/fixtures.ts';
import { address, detail } from '../live/testing/build.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { findToast, id, sent } from '../testing/page.ts';
import { openPage, openWith } from './testing/rules-page.tsx';

const server = fakeServerPerTest();

const pressNew = () => userEvent.click(screen.getByRole('button', { name: 'New Rule' }));

async function openNew(): Promise<void> {
  await openWith(server);
  await pressNew();
}

/** Opens the dialog of a stored rule. Returns the served rules. */
async function openEdit(fields: Partial<Rule>): Promise<Rule[]> {
  const { rules } = await openWith(server, rule(1, fields));
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  return rules;
}

const dialog = () => within(screen.getByRole('dialog'));
const name = () => dialog().getByLabelText('Rule Name');
const amount = () => dialog().getByLabelText('Buy Amount');
const typedValue = (label: string, unit: string) => dialog().getByRole('textbox', { name: `${label}, ${unit}` });
const active = () => dialog().getByRole('switch', { name: 'Rule Active' });
const press = (button: string | RegExp) => userEvent.click(dialog().getByRole('button', { name: button }));
const created = () => sent(server, 'POST', '/api/auto-buy-rules');

async function type(field: HTMLElement, text: string): Promise<void> {
  await userEvent.clear(field);
  // Pasted, since typing would render this dialog once per key.
  if (text !== '') await userEvent.paste(text);
}

/** Fills in the name and, where given, the amount, and presses Create Rule. */
async function create(ruleName: string, sol?: string): Promise<void> {
  await type(name(), ruleName);
  if (sol !== undefined) await type(amount(), sol);
  await press('Create Rule');
}

test("New Rule opens 'Create Auto-Buy Rule' with its fields and buttons [S2.9-02, S2.9-03, S2.9-04, S2.9-05]", async () => {
  await openNew();
  expect(screen.getByRole('dialog', { name: 'Create Auto-Buy Rule' })).toBeVisible();
  expect(name()).toHaveAttribute('placeholder', 'e.g. Low Risk Small Buys');
  expect(amount()).toHaveAttribute('type', 'number');
  expect(amount()).toHaveAttribute('min', '0.01');
  expect(amount()).toHaveAttribute('step', '0.01');
  expect(amount()).toHaveAccessibleDescription('Amount of SOL to spend per token');
  for (const label of ['Min Liquidity', 'Max Risk Level', 'Max Slippage']) {
    expect(dialog().getByRole('slider', { name: label })).toBeVisible();
  }
  expect(active()).toBeVisible();
  expect(dialog().getByRole('button', { name: 'Cancel' })).toBeVisible();
  expect(dialog().getByRole('button', { name: 'Create Rule' })).toHaveAttribute('type', 'submit');
});

test('a new rule has the defaults 0.1 SOL, 0.5 SOL, 30 %, 5 % and active [S3-26]', async () => {
  await openNew();
  expect(name()).toHaveValue('');
  expect(amount()).toHaveValue(0.1);
  expect(typedValue('Min Liquidity', 'SOL')).toHaveValue('0.5');
  expect(typedValue('Max Risk Level', '%')).toHaveValue('30');
  expect(typedValue('Max Slippage', '%')).toHaveValue('5.0');
  expect(active()).toBeChecked();
});

test.each([
  ['Min Liquidity', 'SOL', ['0', '10'], '0.34', '0.3'],
  ['Max Risk Level', '%', ['0', '100'], '33', '35'],
  ['Max Slippage', '%', ['0.5', '50'], '0.8', '1.0'],
] as const)(
  'the slider %s rounds to its steps and clamps to its bounds [S9-18]',
  async (label, unit, [min, max], typed, rounded) => {
    await openNew();
    const slider = dialog().getByRole('slider', { name: label });
    expect(slider).toHaveAttribute('aria-valuemin', min);
    expect(slider).toHaveAttribute('aria-valuemax', max);
    const field = typedValue(label, unit);
    await type(field, typed);
    await userEvent.tab();
    expect(field).toHaveValue(rounded);
    await type(field, '1000');
    await userEvent.tab();
    expect(Number(typedValue(label, unit).getAttribute('value'))).toBe(Number(max));
  },
);

const low = { name: 'Low Risk Small Buys', buyAmount: 0.1, minLiquidity: 0.5, maxRisk: 20, maxSlippage: 5 };
const bold = { name: 'Aggressive Buys', buyAmount: 0.5, minLiquidity: 0.2, maxRisk: 50, maxSlippage: 10 };

test.each([
  [{ ...low, isActive: true }, { ...bold, isActive: false }, 'BuysActive0.1 SOL · 0.5 SOL · 20% · 5%'],
  [{ ...bold, isActive: false }, { ...low, isActive: true }, 'BuysInactive0.5 SOL · 0.2 SOL · 50% · 10%'],
])('the starting point $name fills the form and is sent unchanged [S2.9-10, S2.9-11]', async (point, other, text) => {
  await openNew();
  const button = dialog().getByRole('button', { name: new RegExp(`^${point.name}`) });
  expect(button).toHaveTextContent(text);
  await press(new RegExp(`^${other.name}`));
  expect(name()).toHaveValue(other.name);
  await userEvent.click(button);
  expect(name()).toHaveValue(point.name);
  expect(active().getAttribute('aria-checked')).toBe(`${point.isActive}`);
  await press('Create Rule');
  await findToast('Rule Created');
  expect(created()).toEqual([{ ...point, buyUnknownRisk: false, buyWithinSeconds: null }]);
});

test.each([
  ['an empty name', '', '0.1', 'Please enter a name.'],
  ['an amount of 0', 'Mine', '0', 'The smallest amount is 0.01 SOL.'],
  ['an amount below 0', 'Mine', '-1', 'The smallest amount is 0.01 SOL.'],
  ['no amount', 'Mine', '', 'Please enter an amount.'],
])("%s shows 'Invalid Rule' and an error beside the field [S5-08]", async (_case, typedName, typed, error) => {
  await openNew();
  await create(typedName, typed);
  expect(await findToast('Invalid Rule')).toHaveTextContent('Please provide a name and valid buy amount.');
  expect(dialog().getByText(error)).toBeVisible();
  expect(typedName === '' ? name() : amount()).toHaveAttribute('aria-invalid', 'true');
  expect(server.count(ruleCalls.create)).toBe(0);
});

test("Create Rule closes the dialog and shows 'Rule Created'; the next one has the defaults [S4-15, S8.4-04]", async () => {
  await openNew();
  await create('Mine', '0.25');
  expect(await findToast('Rule Created')).toHaveTextContent('Your auto-buy rule has been created successfully');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await screen.findByRole('article', { name: 'Mine' })).toHaveTextContent('0.25 SOL');
  await pressNew();
  expect(name()).toHaveValue('');
  expect(amount()).toHaveValue(0.1);
});

test('Cancel closes the dialog and discards the input [S4-15]', async () => {
  await openNew();
  await type(name(), 'Mine');
  await press('Cancel');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(server.count(ruleCalls.create)).toBe(0);
  await pressNew();
  expect(name()).toHaveValue('');
});

test('the sentence follows the input', async () => {
  await openNew();
  await type(amount(), '0.7');
  expect(dialog().getByText(/^Buys 0\.7 SOL of a token as soon as it is detected/)).toBeVisible();
});

test('a rule that buys at an unknown risk warns of it', async () => {
  await openNew();
  const allowed = dialog().getByRole('switch', { name: 'Buy at unknown risk' });
  expect(allowed).not.toBeChecked();
  expect(dialog().queryByText(/Unknown is not low/)).toBeNull();
  await userEvent.click(allowed);
  expect(dialog().getByText(/Unknown is not low.*this rule then buys without any check/)).toBeVisible();
  expect(dialog().getByText(/at most 30% or an unknown risk\.$/)).toBeVisible();
  await create('Bold');
  await findToast('Rule Created');
  expect(created()).toMatchObject([{ buyUnknownRisk: true }]);
});

test('a rule buys at any time after detection unless it has a limit in seconds', async () => {
  await openNew();
  const within = dialog().getByLabelText('Only within');
  expect(within).toHaveValue(null);
  await type(within, '90');
  expect(dialog().getByText(/, only within 90 s of its detection\.$/)).toBeVisible();
  await userEvent.clear(within);
  await create('Any time');
  await findToast('Rule Created');
  expect(created()).toMatchObject([{ buyWithinSeconds: null }]);
});

test("the server's errors appear beside their field or in the dialog, and the input stays", async () => {
  await openNew();
  const body = { error: 'Some of the input is not valid.', code: 'invalid-input', details: { name: ['is taken'] } };
  server.reply(ruleCalls.create, () => json(body, 400));
  await create('Mine');
  expect(await dialog().findByText('is taken')).toBeVisible();
  server.fail(ruleCalls.create, 'limit-reached');
  await create('Other');
  expect(await dialog().findByText(errors['limit-reached'].text)).toBeVisible();
  expect(name()).toHaveValue('Other');
  expect(dialog().getByRole('button', { name: 'Create Rule' })).toBeEnabled();
});

test("Edit opens 'Edit Auto-Buy Rule' with the rule; Save Rule sends the changed fields [S2.9-12]", async () => {
  await openEdit({ name: 'Mine', maxRisk: 45 });
  expect(screen.getByRole('dialog', { name: 'Edit Auto-Buy Rule' })).toBeVisible();
  expect(dialog().queryByText('Start from')).toBeNull();
  expect(name()).toHaveValue('Mine');
  expect(typedValue('Max Risk Level', '%')).toHaveValue('45');
  await type(name(), 'Renamed');
  await press('Save Rule');
  expect(await findToast('Rule Saved')).toBeVisible();
  expect(sent(server, 'PATCH', `/api/auto-buy-rules/${id(1)}`)).toEqual([{ name: 'Renamed' }]);
  expect(await screen.findByRole('article', { name: 'Renamed' })).toBeVisible();
});

test('a rule deleted in the meantime keeps its input and can be saved as a new one [S2.9-12]', async () => {
  const rules = await openEdit({ name: 'Mine' });
  await type(amount(), '0.9');
  rules.shift();
  server.fail(ruleCalls.update, 'not-found');
  await press('Save Rule');
  expect(await dialog().findByText(/^This rule was deleted in the meantime\./)).toBeVisible();
  expect(amount()).toHaveValue(0.9);
  // The list behind the dialog is refetched, and the dialog stays open.
  await waitFor(() => expect(screen.queryByRole('article')).toBeNull());
  await press('Create Rule');
  await findToast('Rule Created');
  expect(rules).toMatchObject([{ name: 'Mine', buyAmount: 0.9 }]);
});

test('?from= opens a new rule for tokens like that one, and closing it clears the query', async () => {
  serveRules(server);
  server.answer(tokenCalls.detail, detail(1, { symbol: 'OTTR', currentLiquidity: 3.28, scamProbability: 41 }));
  const { path } = openPage(`/app/auto-buy?from=${address(1)}`);
  await screen.findByRole('dialog', { name: 'Create Auto-Buy Rule' });
  expect(server.requests.some((one) => one.path.endsWith(address(1)))).toBe(true);
  expect(name()).toHaveValue('Like OTTR');
  expect(typedValue('Min Liquidity', 'SOL')).toHaveValue('3.2');
  expect(typedValue('Max Risk Level', '%')).toHaveValue('45');
  await press('Cancel');
  expect(path()).toBe('/app/auto-buy');
});

test('?from= with an unknown token shows an error and opens a default rule', async () => {
  serveRules(server);
  server.fail(tokenCalls.detail, 'token-not-found');
  openPage(`/app/auto-buy?from=${address(1)}`);
  expect(await findToast('Error')).toHaveTextContent('No token with this address is known.');
  expect(name()).toHaveValue('');
});
