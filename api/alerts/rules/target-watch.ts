import type { AlertChannels, AlertTarget } from '../../../common/alerts/rules/model.ts';
import type { Trade } from '../../../common/tokens/model.ts';
import { baseUnitsToTokens } from '../../../common/tokens/units.ts';
import type { EventSource } from '../../events/bus.ts';
import type { DomainEvents } from '../../events/events.ts';
import type { TokenMarket } from '../../tokens/service.ts';

/** An alert at a price of a coin. Ids are hexadecimal. */
export interface TargetRule {
  id: string;
  userId: string;
  address: string;
  target: AlertTarget;
  direction: 'up' | 'down';
  channels: AlertChannels;
}

interface TargetWatchDeps {
  bus: EventSource;
  market: Pick<TokenMarket, 'liveRecord' | 'solUsd'>;
  /** A trade reached the target of this alert, which is no longer watched. */
  found(rule: TargetRule): void;
}

/** Compares trades with the alerts at prices of their coins. Subscribes to trades only while there are such alerts: each is presented for that. */
export function createTargetWatch({ bus, market, found }: TargetWatchDeps) {
  const rules = new Map<string, TargetRule>();
  const byAddress = new Map<string, Set<string>>();
  let end: (() => void) | null = null;

  function remove(id: string): void {
    const address = rules.get(id)?.address;
    rules.delete(id);
    if (address === undefined) return;
    const others = byAddress.get(address);
    others?.delete(id);
    if (others?.size === 0) byAddress.delete(address);
    if (rules.size === 0) stop();
  }

  function stop(): void {
    end?.();
    end = null;
  }

  function onTrades({ address, trades }: DomainEvents['trade']): void {
    const ids = byAddress.get(address);
    if (ids === undefined) return;
    const factors = { price: 1, 'market-cap': dollarsOfSupply(market, address) };
    for (const id of [...ids]) {
      const rule = rules.get(id);
      if (rule === undefined || !isReached(rule, factors[rule.target.unit], trades)) continue;
      remove(id);
      found(rule);
    }
  }

  return {
    put(rule: TargetRule): void {
      remove(rule.id);
      rules.set(rule.id, rule);
      const others = byAddress.get(rule.address) ?? new Set();
      byAddress.set(rule.address, others.add(rule.id));
      end ??= bus.on('trade', onTrades);
    },
    remove,
    stop,
  };
}

/** Returns the market cap in US dollars at a price of 1 SOL; null while supply or rate is unknown. */
function dollarsOfSupply(market: TargetWatchDeps['market'], address: string): number | null {
  const { totalSupply = null, decimals = null } = market.liveRecord(address) ?? {};
  const rate = market.solUsd()?.rate ?? null;
  if (totalSupply === null || decimals === null || rate === null) return null;
  return baseUnitsToTokens(Number(totalSupply), decimals) * rate;
}

function isReached(
  { target: { value }, direction }: TargetRule,
  factor: number | null,
  trades: readonly Trade[],
): boolean {
  if (factor === null) return false;
  return trades.some(({ price }) => {
    if (price === null) return false;
    return direction === 'up' ? price * factor >= value : price * factor <= value;
  });
}
