import { isTooLate, momentsOf, wouldBuy } from '../../../../common/strategies/conditions.ts';
import type { HistoryPoint } from '../../../../common/strategies/history.ts';
import { buyKey, type Change, type CoreFacts, type CorePlan, type CorePrice, type CoreToken } from '../model.ts';

interface NaiveToken {
  address: string;
  detectedAt: number;
  points: HistoryPoint[];
  risk: number | null;
  hasPrice: boolean;
  hasFacts: boolean;
}

/** A core that asks every plan about the whole history of every token at every moment, by `wouldBuy`. For small markets without limits of money. */
export interface NaiveCore {
  /** Returns the purchases up to `now` (epoch ms), each with its time. */
  step(now: number, changes: readonly Change[]): { key: string; at: number }[];
}

export function createNaiveCore(plans: readonly CorePlan[]): NaiveCore {
  const tokens = new Map<string, NaiveToken>();
  const stopped = new Map<string, boolean>();
  const lists = new Map<string, 'white' | 'black' | null>();
  const bought = new Set<string>();
  let isLive = false;
  let last = 0;

  function add({ address, detectedAt }: CoreToken): void {
    if (tokens.has(address)) return;
    tokens.set(address, { address, detectedAt, points: [], risk: null, hasPrice: false, hasFacts: false });
  }

  function onPrice(at: number, { address, price, liquidity }: CorePrice): void {
    const token = tokens.get(address);
    if (!token) return;
    token.hasPrice = true;
    token.points.push({ at, price, liquidity, holders: token.points.at(-1)?.holders ?? null });
  }

  function onFacts(at: number, { address, holders, risk }: CoreFacts): void {
    const token = tokens.get(address);
    if (!token) return;
    const { price = null, liquidity = null } = token.points.at(-1) ?? {};
    token.points.push({ at, price, liquidity, holders });
    Object.assign(token, { risk, hasFacts: true });
  }

  function take(now: number, change: Change): void {
    if (change.type === 'token') add(change.token);
    else if (change.type === 'price') onPrice(now, change.price);
    else if (change.type === 'facts') onFacts(now, change.facts);
    else if (change.type === 'list') lists.set(`${change.userId} ${change.address}`, change.listed);
    else if (change.type === 'account') stopped.set(change.account.userId, change.account.isStopped);
    else if (change.type === 'source') isLive = change.isLive;
  }

  function buys(plan: CorePlan, token: NaiveToken, at: number, now: number): boolean {
    if (token.detectedAt < plan.activeSince || stopped.get(plan.userId)) return false;
    // By the time of the decision, also for a moment that passed before it.
    if (isTooLate(plan.buyWithinSeconds, token.detectedAt, now)) return false;
    // A market has a depth only with both.
    if (!isLive || !token.hasPrice || !token.hasFacts) return false;
    const { minLiquidity, maxRisk, buyUnknownRisk, conditions } = plan;
    const asked = { ...conditions, minLiquidity, maxScamProbability: maxRisk, buyUnknownRisk };
    const candidate = {
      risk: token.risk,
      listed: lists.get(`${plan.userId} ${token.address}`) ?? null,
      bought: bought.has(buyKey(plan.id, token.address)),
    };
    return wouldBuy({ ...asked, isActive: true, hasWallet: true }, candidate, token, at) === 'buy';
  }

  function buyAll(at: number, now: number): { key: string; at: number }[] {
    const made = plans.flatMap((plan) =>
      [...tokens.values()].filter((token) => buys(plan, token, at, now)).map(({ address }) => buyKey(plan.id, address)),
    );
    for (const key of made) bought.add(key);
    return made.map((key) => ({ key, at }));
  }

  return {
    step(now, changes) {
      const moments = plans.flatMap(({ conditions }) =>
        [...tokens.values()].flatMap(({ detectedAt }) => momentsOf(conditions, detectedAt)),
      );
      const between = new Set(moments.filter((at) => at > last && at < now).sort((a, b) => a - b));
      const made = [...between].flatMap((at) => buyAll(at, now));
      for (const change of changes) {
        take(now, change);
        made.push(...buyAll(now, now));
      }
      last = now;
      return made;
    },
  };
}
