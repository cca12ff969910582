import { expect, test } from 'vitest';
import type { ExplainedToken, Explanation } from '../../../common/decisions/model.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { testConnection } from '../../testing/database.ts';
import { tokenRecord } from '../../testing/tokens.ts';
import { botWorldWith } from '../testing/bot-world.ts';
import { createFakeTrading } from '../testing/fake-trading.ts';

const DOG = tokenRecord(1, { symbol: 'DOG', name: 'Dog' });
const CATS = [tokenRecord(2, { symbol: 'CAT' }), tokenRecord(3, { symbol: 'cat' })];

const connection = await testConnection();

function plan(number: number, fields: Partial<Explanation> = {}): Explanation {
  const named = { id: `${number}`.padStart(24, '0'), kind: 'rule' as const, name: `Rule ${number}` };
  return { plan: named, isActive: true, reason: null, needsAll: true, progress: [], last: null, ...fields };
}

/** A bot whose users have these plans; `asked` has the tokens that were explained. */
async function world(plans: Explanation[], isDeciding = true) {
  const asked: string[] = [];
  const explainToken = async (_caller: unknown, _userId: string, address: string): Promise<ExplainedToken> => {
    asked.push(address);
    return { isDeciding, plans, at: new Date().toISOString() };
  };
  const bot = await botWorldWith(connection, [DOG, ...CATS], createFakeTrading(), { explainToken });
  return { ...bot, asked };
}

test('/why replies with what each rule and strategy waits for, or why it does not buy, with figures [T-35]', async () => {
  const uptrend = { option: 'buy_at_uptrend' as const, met: 'waiting' as const };
  const { ask, asked } = await world([
    plan(1, { reason: reason('high-risk', { riskPercent: 62, limitPercent: 30 }) }),
    plan(2, {
      plan: { id: '2'.repeat(24), kind: 'strategy', name: 'Trend' },
      reason: reason('waiting'),
      progress: [{ ...uptrend, numbers: { changePercent: 3.1, percent: 10, seconds: 60 } }],
    }),
    plan(3, { isActive: false, reason: reason('inactive') }),
  ]);
  expect((await ask('/why dog')).split('\n')).toEqual([
    'Why · DOG',
    DOG._id,
    '',
    'Rule “Rule 1”',
    'Not bought: The risk of 62 % is above the limit of 30 %.',
    '',
    'Strategy “Trend”',
    'Waits: price has risen 3.1 % of the 10 % within 1 min.',
    '',
    'Rule “Rule 3”',
    'Not bought: The rule or strategy is switched off.',
  ]);
  await ask(`/why ${DOG._id}`);
  expect(asked).toEqual([DOG._id, DOG._id]);
});

test('/why without a token, with an unknown or ambiguous one, and without plans replies with what to do', async () => {
  const { ask, asked } = await world([]);
  expect(await ask('/why')).toBe('Which token? Send /why <address or symbol>.');
  expect(await ask('/why nothing')).toBe('No token with this symbol is known.');
  expect(await ask('/why cat')).toMatch(/^2 tokens have this symbol\./);
  expect(asked).toEqual([]);
  expect(await ask('/why dog')).toBe('You have no rules or strategies. Make one on the Rules page.');
});

test('/why shows eight plans and the number of the others, and a server that does not decide', async () => {
  const { ask } = await world(
    Array.from({ length: 10 }, (_, number) => plan(number)),
    false,
  );
  const reply = await ask('/why dog');
  expect(reply.match(/Not known: this server does not decide at present\./g)).toHaveLength(8);
  expect(reply).toMatch(/\n\nAnd 2 more on the page of the token\.$/);
});
