import { beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { decisionCalls } from '../../../common/decisions/http.ts';
import { type Decision, decisionSchema } from '../../../common/decisions/model.ts';
import { explanationText } from '../../../common/decisions/text.ts';
import { ruleCalls } from '../../../common/rules/http.ts';
import { defaultRule } from '../../../common/rules/model.ts';
import { strategyCalls } from '../../../common/strategies/http.ts';
import { defaultStrategy } from '../../../common/strategies/model.ts';
import { HOUR } from '../../../common/time.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import { idSchema } from '../../../common/users/model.ts';
import { testServer } from '../../test-server.ts';
import { type Person, person, socketOf } from '../../testing/people.ts';
import { justLaunched, tokenRecord } from '../../testing/tokens.ts';
import { testWallet } from '../../testing/wallets.ts';

let user: Person;

const server = await testServer({
  stored: [justLaunched()],
  env: { MARKET: 'simulator', MARKET_RATE: '600', MARKET_SEED: '5', TRADING: 'paper' },
});
beforeAll(async () => {
  user = await person(server, 'Pat');
  const wallet = await user.call(`/api/users/${user.id}/wallet`, { method: 'POST', json: testWallet(1) });
  expect(wallet.status).toBeLessThan(300);
});

async function get(path: string): Promise<unknown> {
  const { status, body } = await user.call(path);
  expect(status).toBe(200);
  return body;
}

async function made(path: string, json: object): Promise<string> {
  const { status, body } = await user.call(path, { method: 'POST', json });
  expect(status).toBe(200);
  return z.object({ id: idSchema }).parse(body).id;
}

const decisionsOf = async (plan: string) =>
  decisionCalls.list.output.parse(await get(`${decisionCalls.list.path}?plan=${plan}&limit=200`));
const explained = async (address: string) =>
  decisionCalls.explain.output.parse(await get(`/api/trading/explain/${address}`));

test('a running market shows why plans buy, refuse or wait: stored, counted, summed, live and at this moment [T-34, T-35, T-36]', async () => {
  const socket = await socketOf(server, user);
  const live: Decision[] = [];
  socket.on('decision', (decision: unknown) => void live.push(decisionSchema.parse(decision)));
  await socket.emitWithAck('subscribe', { topic: `user:${user.id}` });
  const limits = { maxOpen: 100, perDayLamports: 5_000_000_000 };
  await user.call(tradingCalls.changeAccount.path, { method: 'PATCH', json: { limits } });
  const any = { ...defaultRule, buyAmount: 0.01, minLiquidity: 0, maxRisk: 100, maxSlippage: 50, buyUnknownRisk: true };
  const refuser = await made(ruleCalls.create.path, { ...any, name: 'Only whales', minLiquidity: 10, maxRisk: 0 });
  const waiter = await made(strategyCalls.create.path, {
    ...defaultStrategy,
    userId: user.id,
    name: 'Crowd',
    type: 'holder_based',
    configuration: { holderConfig: { option: 'buy_at_minimum_holders', minHolders: 100_000 } },
  });
  // The last plan: a token that is new to it is new to all.
  const buyer = await made(ruleCalls.create.path, { ...any, name: 'Any coin' });

  const outcomes = async () => (await decisionsOf(buyer)).map(({ outcome }) => outcome);
  await expect.poll(outcomes, { timeout: 60_000 }).toContain('bought');
  await expect.poll(async () => (await decisionsOf(refuser)).length, { timeout: 60_000 }).toBeGreaterThan(0);
  const bought = (await decisionsOf(buyer)).find(({ outcome }) => outcome === 'bought');
  expect(bought).toMatchObject({ plan: { id: buyer, kind: 'rule', name: 'Any coin' }, reason: null });
  expect(bought?.orderId).not.toBeNull();
  const [refused] = await decisionsOf(refuser);
  expect(refused).toMatchObject({ outcome: 'not-bought', plan: { name: 'Only whales' } });
  expect(refused?.reason?.code).toMatch(/low-liquidity|high-risk|unknown-risk|unknown-liquidity|stale|no-depth/);
  // A plan that only waits stores nothing.
  expect(await decisionsOf(waiter)).toEqual([]);
  await expect.poll(() => live.some(({ plan }) => plan.id === buyer)).toBe(true);

  // Counts are stored after the decisions, and a position after the end of its order.
  const countsOf = async (plan: string) =>
    decisionCalls.counts.output.parse(await get(`${decisionCalls.counts.path}?plan=${plan}`));
  await expect.poll(async () => (await countsOf(refuser)).considered).toBeGreaterThan(0);
  expect((await countsOf(refuser)).reasons.length).toBeGreaterThan(0);
  const resultOf = async (plan: string) =>
    decisionCalls.results.output.parse(await get(decisionCalls.results.path)).find(({ planId }) => planId === plan);
  await expect.poll(async () => (await resultOf(buyer))?.bought).toBeGreaterThan(0);
  expect((await resultOf(buyer))?.last).not.toBeNull();

  // Without the lease, as on a busy machine, no reason is known.
  const { plans, isDeciding } = await vi.waitFor(async () => {
    const explanation = await explained(bought?.address ?? '');
    expect(explanation.isDeciding).toBe(true);
    return explanation;
  });
  expect(plans.map(({ plan }) => plan.id).sort()).toEqual([buyer, refuser, waiter].sort());
  const text = (id: string) => {
    const plan = plans.find((one) => one.plan.id === id);
    return plan ? explanationText(plan, isDeciding, Date.now()) : null;
  };
  expect(text(buyer)).toBe('Bought.');
  expect(text(waiter)).toMatch(/^Waits: (\d+ of 100,000 holders|number of holders is unknown, target 100,000)\.$/);
  expect(text(refuser)).toMatch(/^Not bought: /);
}, 180_000);

test('a plan that is switched off, a token from before, and one that is not followed are explained as such [T-35]', async () => {
  // Numbers that the market has not given.
  const [earlier, later] = [tokenRecord(1_001, { createdAt: Date.now() - HOUR }), tokenRecord(1_002)];
  await server.storeTokens([earlier, later]);
  const codesOf = async (address: string) => (await explained(address)).plans.map(({ reason }) => reason?.code);
  await expect.poll(() => codesOf(earlier._id)).toEqual(['not-new', 'not-new', 'not-new']);
  const unknown = ['not-followed', 'not-followed', 'not-followed'];
  await expect.poll(() => codesOf(later._id)).toEqual(unknown);
  await expect.poll(() => codesOf('1'.repeat(44))).toEqual(unknown);
  const { plans } = await explained('1'.repeat(44));
  const [first] = plans;
  const path = ruleCalls.update.path.replace('{id}', plans.find(({ plan }) => plan.kind === 'rule')?.plan.id ?? '');
  expect(first).toBeDefined();
  expect((await user.call(path, { method: ruleCalls.update.method, json: { isActive: false } })).status).toBe(200);
  const after = await explained('1'.repeat(44));
  expect(after.plans.at(-1)).toMatchObject({ isActive: false, reason: { code: 'inactive' } });
});
