import { conditionsMet, isTooLate, wouldBuy } from '../../../../../common/strategies/conditions.ts';
import type { HistoryPoint } from '../../../../../common/strategies/history.ts';
import { SECOND } from '../../../../../common/time.ts';
import { buyKey, type Change, type CoreFacts, type CorePlan, type CorePrice, type CoreToken } from '../model.ts';

interface NaiveToken {
  address: string;
  detectedAt: number;
  points: HistoryPoint[];
  risk: number | null;
  hasPrice: boolean;
  hasFacts: boolean;
}

/**
 * A core that judges every plan by `wouldBuy` on the whole history of a token: at every change of it, once a second, and at every
 * other change for tokens that the plan was judged for before. For small markets without limits of money.
 */
export interface NaiveCore {
  /** Returns the purchases up to `now` (epoch ms), each with its time. */
  step(now: number, changes: readonly Change[]): { key: string; at: number }[];
}

export function createNaiveCore(plans: readonly CorePlan[]): NaiveCore {
  const tokens = new Map<string, NaiveToken>();
  const stopped = new Map<string, boolean>();
  const lists = new Map<string, Map<string, 'white' | 'black'>>();
  const bought = new Set<string>();
  /** Pairs whose conditions were met, or that a list refused. */
  const asked = new Set<string>();
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

  type Selected = (plan: CorePlan, token: NaiveToken) => boolean;
  const isAsked: Selected = (plan, token) => asked.has(buyKey(plan.id, token.address));

  /** Takes a change. Returns the pairs that it concerns: at once, or at the end of the step. */
  function take(now: number, change: Change): { atOnce?: Selected; later?: Selected } {
    switch (change.type) {
      case 'token':
        add(change.token);
        return { later: (_, { address }) => address === change.token.address };
      case 'price':
        onPrice(now, change.price);
        return { atOnce: (_, { address }) => address === change.price.address };
      case 'facts':
        onFacts(now, change.facts);
        return { atOnce: (_, { address }) => address === change.facts.address };
      case 'lists':
        return takeLists(change);
      case 'account':
        stopped.set(change.account.userId, change.account.isStopped);
        return { later: (plan, token) => plan.userId === change.account.userId && isAsked(plan, token) };
      case 'source': {
        const isBack = change.isLive && !isLive;
        isLive = change.isLive;
        return { later: () => isBack };
      }
      default:
        return {};
    }
  }

  function takeLists({ userId, white, black }: Extract<Change, { type: 'lists' }>): { atOnce: Selected } {
    const before = lists.get(userId);
    const after = new Map([
      ...white.map((address) => [address, 'white'] as const),
      ...black.map((address) => [address, 'black'] as const),
    ]);
    lists.set(userId, after);
    for (const { id } of plans.filter((plan) => plan.userId === userId)) {
      for (const address of black) if (before?.get(address) !== 'black') asked.add(buyKey(id, address));
    }
    return {
      atOnce: (plan, token) =>
        plan.userId === userId && before?.get(token.address) !== after.get(token.address) && isAsked(plan, token),
    };
  }

  function buys(plan: CorePlan, token: NaiveToken, now: number): boolean {
    if (stopped.get(plan.userId)) return false;
    if (isTooLate(plan.buyWithinSeconds, token.detectedAt, now)) return false;
    // A market has a depth only with both.
    if (!isLive || !token.hasPrice || !token.hasFacts) return false;
    const { minLiquidity, maxRisk, buyUnknownRisk, conditions } = plan;
    const asked = { ...conditions, minLiquidity, maxScamProbability: maxRisk, buyUnknownRisk };
    const candidate = {
      risk: token.risk,
      listed: lists.get(plan.userId)?.get(token.address) ?? null,
      bought: bought.has(buyKey(plan.id, token.address)),
    };
    return wouldBuy({ ...asked, isActive: true, hasWallet: true }, candidate, token, now) === 'buy';
  }

  function buyAll(now: number, isSelected: Selected): { key: string; at: number }[] {
    const pairs = plans.flatMap((plan) => [...tokens.values()].map((token) => ({ plan, token })));
    const selected = pairs.filter(({ plan, token }) => token.detectedAt >= plan.activeSince && isSelected(plan, token));
    for (const { plan, token } of selected) {
      if (conditionsMet(plan.conditions, token, now) === 'met') asked.add(buyKey(plan.id, token.address));
    }
    const made = selected
      .filter(({ plan, token }) => buys(plan, token, now))
      .map(({ plan, token }) => buyKey(plan.id, token.address));
    for (const key of made) bought.add(key);
    return made.map((key) => ({ key, at: now }));
  }

  return {
    step(now, changes) {
      const selections: Selected[] = [];
      const made = changes.flatMap((change) => {
        const { atOnce, later } = take(now, change);
        if (later) selections.push(later);
        return atOnce ? buyAll(now, atOnce) : [];
      });
      // The first step of a second finds all that time has completed.
      if (Math.floor(now / SECOND) > Math.floor(last / SECOND)) selections.push(() => true);
      last = now;
      return [...made, ...buyAll(now, (plan, token) => selections.some((isSelected) => isSelected(plan, token)))];
    },
  };
}
