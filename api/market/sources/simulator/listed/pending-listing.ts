import type { Coin } from '../coin/coin.ts';
import type { ListedTwin, WorldEvent } from '../world/floor.ts';
import type { Twin } from './twin.ts';

/** The events of a coin's counterpart in the world: they wait while the coin is being listed, and are dropped afterwards. */
export interface PendingListing extends ListedTwin {
  /** The coin is on the chain: only facts of the counterpart go on. */
  succeed(): void;
  /** Emits the events that waited. */
  fail(): void;
}

/** Largest holders that facts name. */
const LARGEST_HOLDERS = 20;
/** Most events that wait: a listing takes a moment. */
const MOST_WAITING = 1_000;

/** `coin`: the coin on the chain, whose balances the facts name. */
export function createPendingListing(
  coin: Coin,
  deps: { emit(event: WorldEvent): void; twin(): Twin | undefined },
): PendingListing {
  let waiting: WorldEvent[] = [];
  let isListed = false;

  function forward(event: WorldEvent): void {
    if (event.kind === 'facts') deps.emit({ ...event, facts: onChain(event.facts, coin) });
  }

  return {
    onEvent(event) {
      if (isListed) forward(event);
      else if (waiting.length < MOST_WAITING) waiting.push(event);
    },
    buy: (wallet, net) => deps.twin()?.plannedBuy(wallet, net),
    sellShare: (wallet, share) => deps.twin()?.plannedSale(wallet, share),
    succeed() {
      isListed = true;
      for (const event of waiting) forward(event);
      waiting = [];
    },
    fail() {
      for (const event of waiting) deps.emit(event);
      waiting = [];
    },
  };
}

type Facts = Extract<WorldEvent, { kind: 'facts' }>['facts'];

/** Returns facts that hold on the chain: with its balances, and its own pool instead of the counterpart's. */
function onChain({ largestHolders, lpLockedPercent: _, ...rest }: Facts, coin: Coin): Facts {
  const facts = coin.lpLockedPercent === null ? rest : { ...rest, lpLockedPercent: coin.lpLockedPercent };
  if (largestHolders === undefined || !coin.holdersKnown) return facts;
  return { ...facts, largestHolders: coin.holders.largest(LARGEST_HOLDERS) };
}
