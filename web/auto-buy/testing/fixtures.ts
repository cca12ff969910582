import { decisionCalls } from '../../../common/decisions/http.ts';
import { ruleCalls } from '../../../common/rules/http.ts';
import { defaultRule, type Rule, ruleSchema } from '../../../common/rules/model.ts';
import { strategyCalls } from '../../../common/strategies/http.ts';
import type { Strategy } from '../../../common/strategies/model.ts';
import { walletCalls } from '../../../common/wallet/http.ts';
import type { Wallet } from '../../../common/wallet/model.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { id, USER_ID } from '../../testing/page.ts';

const AT = '2026-02-03T04:05:06.000Z';

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
    buyUnknownRisk: false,
    buyWithinSeconds: null,
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

/** Serves rules, in the given order, and applies changes to them. */
export function serveRules(server: FakeServer, rules: Rule[] = []): Rule[] {
  server.answer(walletCalls.get, walletWithKey);
  server.answer(decisionCalls.results, []);
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

/** Serves strategies, in the given order, and applies changes to them. */
export function serveStrategies(server: FakeServer, strategies: Strategy[] = []): Strategy[] {
  server.answer(walletCalls.get, walletWithKey);
  server.answer(decisionCalls.results, []);
  server.answer(strategyCalls.list, () => strategies);
  server.answer(strategyCalls.create, ({ body }) => {
    const sent = strategyCalls.create.body.parse(body);
    const { stopLoss, takeProfit, minLiquidity, maxScamProbability, buyWithinSeconds, ...rest } = sent;
    const made = {
      ...strategy(100 + strategies.length),
      ...rest,
      stopLoss: stopLoss ?? null,
      takeProfit: takeProfit ?? null,
      minLiquidity: minLiquidity ?? null,
      maxScamProbability: maxScamProbability ?? null,
      buyWithinSeconds: buyWithinSeconds ?? null,
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
  if (before === undefined) throw new Error(`no item has the id ${id}`);
  const after = changed(before);
  items[index] = after;
  return after;
}

function remove(items: { id: string }[], id: string | undefined): { ok: true } {
  const index = items.findIndex((one) => one.id === id);
  if (index < 0) throw new Error(`no item has the id ${id}`);
  items.splice(index, 1);
  return { ok: true };
}
