import { isTooLate, wouldBuy } from '../../../../../common/strategies/conditions.ts';
import type { HistoryPoint } from '../../../../../common/strategies/history.ts';
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
 * A core that judges every plan by `wouldBuy` on the whole history of a token: at every change of it, and all at the end of each
 * step. For small markets. It has no limits of money.
 */
export interface NaiveCore {
  /** Returns the purchases up to `now` (epoch ms), each with its time. */
  step(now: number, changes: readonly Change[]): { key: string; at: number }[];
  /** Takes changes without buying. Returns the purchases that only money and limits of the account may refuse at `now` (epoch ms). */
  accepts(now: number, changes: readonly Change[]): { key: string; plan: CorePlan; address: string }[];
}

export function createNaiveCore(plans: readonly CorePlan[]): NaiveCore {
  const tokens = new Map<string, NaiveToken>();
  const stopped = new Map<string, boolean>();
  const lists = new Map<string, Map<string, 'white' | 'black'>>();
  const bought = new Set<string>();
  let isLive = false;

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

  /** Takes a change. Returns the address of the token whose figures it sets; null for any other change. */
  function take(now: number, change: Change): string | null {
    switch (change.type) {
      case 'token':
        add(change.token);
        return null;
      case 'price':
        onPrice(now, change.price);
        return change.price.address;
      case 'facts':
        onFacts(now, change.facts);
        return change.facts.address;
      case 'lists': {
        const listed = [
          change.white.map((one) => [one, 'white'] as const),
          change.black.map((one) => [one, 'black'] as const),
        ];
        lists.set(change.userId, new Map(listed.flat()));
        return null;
      }
      case 'account':
        stopped.set(change.account.userId, change.account.isStopped);
        return null;
      case 'source':
        isLive = change.isLive;
        return null;
      default:
        return null;
    }
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

  /** Returns the purchases of some tokens at a time (epoch ms). */
  function accepted(now: number, addresses: Iterable<string>): { key: string; plan: CorePlan; address: string }[] {
    const selected = [...addresses].flatMap((address) => tokens.get(address) ?? []);
    const pairs = plans.flatMap((plan) => selected.map((token) => ({ plan, token })));
    return pairs
      .filter(({ plan, token }) => token.detectedAt >= plan.activeSince && buys(plan, token, now))
      .map(({ plan, token: { address } }) => ({ key: buyKey(plan.id, address), plan, address }));
  }

  /** Buys some tokens at a time (epoch ms). Returns the keys. */
  function buyAll(now: number, addresses: Iterable<string>): { key: string; at: number }[] {
    const made = accepted(now, addresses);
    for (const { key } of made) bought.add(key);
    return made.map(({ key }) => ({ key, at: now }));
  }

  return {
    step(now, changes) {
      const made = changes.flatMap((change) => {
        const address = take(now, change);
        return address === null ? [] : buyAll(now, [address]);
      });
      return [...made, ...buyAll(now, tokens.keys())];
    },
    accepts(now, changes) {
      for (const change of changes) take(now, change);
      return accepted(now, tokens.keys());
    },
  };
}
