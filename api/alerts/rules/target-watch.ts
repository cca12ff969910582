import type { AlertChannels, AlertTarget } from '../../../common/alerts/rules/model.ts';
import { type Clock, MINUTE, SECOND } from '../../../common/time.ts';
import { baseUnitsToTokens } from '../../../common/tokens/units.ts';
import type { EventSource } from '../../events/bus.ts';
import type { DomainEvents } from '../../events/events.ts';
import type { TokenMarket } from '../../tokens/service.ts';

/** Time until a found alert that could not be stored is compared again, ms. */
const REST = MINUTE;
/** Interval of comparisons with the SOL rate, ms. */
const INTERVAL = SECOND;

/** An alert at a price of a coin. Ids are hexadecimal. */
export interface TargetRule {
  id: string;
  userId: string;
  address: string;
  target: AlertTarget;
  direction: 'up' | 'down';
  channels: AlertChannels;
  createdAt: Date;
}

interface TargetWatchDeps {
  bus: EventSource;
  market: Pick<TokenMarket, 'liveRecord' | 'solUsd'>;
  clock: Clock;
  /** The target of this alert was reached. It is not compared until `rest`. */
  found(rule: TargetRule): void;
}

/**
 * Compares prices with the alerts at prices of their coins: each trade, so that no spike is missed; each changed token, since a
 * price may be reported without a trade; and market caps when the SOL rate changes. Subscribes only while there are such alerts:
 * each trade is presented for that.
 */
export function createTargetWatch({ bus, market, clock, found }: TargetWatchDeps) {
  const rules = createTargetRules();
  let subscriptions: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let lastRate: number | null = null;

  const rateOf = () => market.solUsd()?.rate ?? null;

  function start(): void {
    lastRate = rateOf();
    subscriptions = [bus.on('trade', onTrades), bus.on('token-changed', onTokensChanged)];
    timer = setInterval(advance, INTERVAL);
  }

  function stop(): void {
    clearInterval(timer);
    for (const end of subscriptions) end();
    subscriptions = [];
  }

  function compare(address: string, isReached: (rule: TargetRule) => boolean): void {
    for (const rule of rules.comparable(address, clock.now())) {
      if (!isReached(rule)) continue;
      rules.rest(rule.id, Number.POSITIVE_INFINITY);
      found(rule);
    }
  }

  function onTrades({ address, trades }: DomainEvents['trade']): void {
    if (!rules.has(address)) return;
    const factors = { price: 1, 'market-cap': dollarsOfSupply(market, address) };
    compare(address, (rule) => {
      const factor = factors[rule.target.unit];
      // Trades have times in whole seconds. Late and repaired ones may be older than the alert.
      const since = Math.floor(rule.createdAt.getTime() / SECOND) * SECOND;
      return trades.some(({ price, at }) => Date.parse(at) >= since && isBeyond(rule, product(price, factor)));
    });
  }

  function onTokensChanged({ changes }: DomainEvents['token-changed']): void {
    for (const { token } of changes) {
      if (!rules.has(token.address)) continue;
      const figures = { price: token.price, 'market-cap': token.marketCap };
      compare(token.address, (rule) => isBeyond(rule, figures[rule.target.unit]));
    }
  }

  function advance(): void {
    const rate = rateOf();
    if (rate === lastRate) return;
    lastRate = rate;
    for (const address of rules.addresses()) {
      const marketCap = product(market.liveRecord(address)?.price ?? null, dollarsOfSupply(market, address));
      compare(address, (rule) => rule.target.unit === 'market-cap' && isBeyond(rule, marketCap));
    }
  }

  return {
    /** Adds an alert, or replaces it as its user changed it. */
    put(rule: TargetRule): void {
      if (rules.isEmpty()) start();
      rules.put(rule);
    },
    remove(id: string): void {
      rules.remove(id);
      if (rules.isEmpty()) stop();
    },
    /** Compares a found alert again after a while, unless it was removed: it could not be stored, or its user is not alerted. */
    rest(id: string): void {
      rules.rest(id, clock.now() + REST);
    },
    /** Compares the market caps if the SOL rate has changed since the last time. */
    advance,
    stop,
  };
}

/** The alerts at prices, by id and by coin, each with the time from which it is compared, epoch ms. */
function createTargetRules() {
  const rules = new Map<string, { rule: TargetRule; restUntil: number }>();
  const byAddress = new Map<string, Set<string>>();
  return {
    isEmpty: () => rules.size === 0,
    addresses: () => byAddress.keys(),
    has: (address: string) => byAddress.has(address),
    /** Returns the alerts of a coin that do not rest. */
    comparable(address: string, now: number): TargetRule[] {
      return [...(byAddress.get(address) ?? [])].flatMap((id) => {
        const known = rules.get(id);
        return known === undefined || now < known.restUntil ? [] : [known.rule];
      });
    },
    put(rule: TargetRule): void {
      const { id, address } = rule;
      rules.set(id, { rule, restUntil: rules.get(id)?.restUntil ?? 0 });
      byAddress.set(address, (byAddress.get(address) ?? new Set<string>()).add(id));
    },
    remove(id: string): void {
      const address = rules.get(id)?.rule.address;
      rules.delete(id);
      if (address === undefined) return;
      const others = byAddress.get(address);
      others?.delete(id);
      if (others?.size === 0) byAddress.delete(address);
    },
    rest(id: string, until: number): void {
      const known = rules.get(id);
      if (known !== undefined) known.restUntil = until;
    },
  };
}

/** Returns the market cap in US dollars at a price of 1 SOL; null while supply or rate is unknown. */
function dollarsOfSupply(market: TargetWatchDeps['market'], address: string): number | null {
  const { totalSupply = null, decimals = null } = market.liveRecord(address) ?? {};
  const rate = market.solUsd()?.rate ?? null;
  if (totalSupply === null || decimals === null || rate === null) return null;
  return baseUnitsToTokens(Number(totalSupply), decimals) * rate;
}

function product(price: number | null, factor: number | null): number | null {
  return price === null || factor === null ? null : price * factor;
}

/** Returns whether a figure in the unit of the target is at it or beyond; false while unknown. */
function isBeyond({ target: { value }, direction }: TargetRule, figure: number | null): boolean {
  if (figure === null) return false;
  return direction === 'up' ? figure >= value : figure <= value;
}
