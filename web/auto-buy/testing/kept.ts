import { screen } from '@testing-library/react';
import { ruleCalls } from '../../../common/rules/http.ts';
import { defaultRule, type Rule, ruleSchema } from '../../../common/rules/model.ts';
import { strategyCalls } from '../../../common/strategies/http.ts';
import type { Strategy } from '../../../common/strategies/model.ts';
import { walletCalls } from '../../../common/wallet/http.ts';
import type { Wallet } from '../../../common/wallet/model.ts';
import type { FakeServer, Received } from '../../testing/fake-server.ts';

export const USER_ID = '6650000000000000000000aa';
const AT = '2026-02-03T04:05:06.000Z';

export function id(number: number): string {
  return number.toString(16).padStart(24, '0');
}

export function rule(number: number, fields: Partial<Rule> = {}): Rule {
  return { ...defaultRule, id: id(number), name: `Rule ${number}`, createdAt: AT, updatedAt: AT, ...fields };
}

export function strategy(number: number, fields: Partial<Strategy> = {}): Strategy {
  return {
    id: id(number),
    userId: USER_ID,
    name: `Strategy ${number}`,
    description: '',
    type: 'time_based',
    isActive: true,
    buyAmount: 0.05,
    maxSlippage: 3,
    stopLoss: null,
    takeProfit: null,
    minLiquidity: null,
    maxScamProbability: null,
    configuration: { timeConfig: { option: 'buy_immediately' } },
    createdAt: AT,
    updatedAt: AT,
    ...fields,
  };
}

export const walletWithKey: Wallet = {
  walletAddress: 'So11111111111111111111111111111111111111112',
  hasKey: true,
  savedAt: AT,
};

/** Rules as a server keeps them, in the order it answers them. */
export function keepRules(server: FakeServer, rules: Rule[] = []): Rule[] {
  server.answer(walletCalls.get, walletWithKey);
  server.answer(ruleCalls.list, () => rules);
  server.answer(ruleCalls.create, ({ body }) => {
    const made = { ...rule(100 + rules.length), ...ruleCalls.create.body.parse(body) };
    rules.unshift(made);
    return made;
  });
  server.answer(ruleCalls.update, ({ params, body }) =>
    change(rules, params.id, (before) => ruleSchema.parse({ ...before, ...ruleCalls.update.body.parse(body) })),
  );
  server.answer(ruleCalls.remove, ({ params }) => remove(rules, params.id));
  return rules;
}

/** Strategies as a server keeps them. */
export function keepStrategies(server: FakeServer, strategies: Strategy[] = []): Strategy[] {
  server.answer(walletCalls.get, walletWithKey);
  server.answer(strategyCalls.list, () => strategies);
  server.answer(strategyCalls.create, ({ body }) => {
    const { stopLoss, takeProfit, minLiquidity, maxScamProbability, ...rest } = strategyCalls.create.body.parse(body);
    const made = {
      ...strategy(100 + strategies.length),
      ...rest,
      stopLoss: stopLoss ?? null,
      takeProfit: takeProfit ?? null,
      minLiquidity: minLiquidity ?? null,
      maxScamProbability: maxScamProbability ?? null,
    };
    strategies.unshift(made);
    return made;
  });
  server.answer(strategyCalls.update, ({ params, body }) =>
    change(strategies, params.id, (before) => ({ ...before, ...strategyCalls.update.body.parse(body) })),
  );
  server.answer(strategyCalls.remove, ({ params }) => remove(strategies, params.id));
  return strategies;
}

function change<Item extends { id: string }>(
  items: Item[],
  id: string | undefined,
  changed: (before: Item) => Item,
): Item {
  const index = items.findIndex((one) => one.id === id);
  const before = items[index];
  if (before === undefined) throw new Error(`nothing is kept under ${id}`);
  const after = changed(before);
  items[index] = after;
  return after;
}

function remove(items: { id: string }[], id: string | undefined): { ok: true } {
  const index = items.findIndex((one) => one.id === id);
  if (index < 0) throw new Error(`nothing is kept under ${id}`);
  items.splice(index, 1);
  return { ok: true };
}

/** The bodies that a call received, oldest first. */
export function sent(server: FakeServer, method: string, path: string): Received['body'][] {
  return server.requests.filter((one) => one.method === method && one.path === path).map(({ body }) => body);
}

/** The card of that name. */
export function card(name: string): HTMLElement {
  return screen.getByRole('article', { name });
}

/** The one toast on screen, by its title. */
export async function findToast(title: string): Promise<HTMLElement> {
  const toast = (await screen.findByText(title)).closest('li');
  if (toast === null) throw new Error(`"${title}" is not in a toast`);
  return toast;
}
