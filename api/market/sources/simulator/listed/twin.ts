import { SECOND } from '../../../../../common/time.ts';
import type { CompletedObservation, MigratedObservation, TradeObservation } from '../../observation.ts';
import type { Coin } from '../coin/coin.ts';
import { Holders } from '../coin/holders.ts';
import { buyFor, sellFor } from '../lives/trades.ts';
import type { Dice } from '../random.ts';
import { LP_BURNT_PERCENT, MIGRATION_DELAY, slotAt } from '../world/coin-events.ts';
import type { LifePath, PlannedTrader, TradingFloor } from '../world/floor.ts';
import type { Identities } from '../world/identities.ts';
import type { ChainEvent, CrowdOrder, FollowedCoin } from './coin-chain.ts';
import { createCrowdOrders } from './crowd-orders.ts';

/** Time after which a move into the pool without an event is sent again, ms. */
const RETRY = 5_000;

/** What the twins of all coins share. */
export interface CrowdDeps {
  dice: Dice;
  identities: Identities;
  solUsd(): number;
  send(order: CrowdOrder): Promise<boolean>;
  /** Sends the move of a sold-out coin into its pool. */
  migrate(address: string): Promise<void>;
  /** Launchpad named by the observations. */
  launchpad: string;
}

/** A coin on the chain with its simulated traders. Times are epoch ms. */
export interface Twin extends PlannedTrader {
  readonly coin: Coin;
  /** True while simulated wallets trade it by themselves. */
  readonly hasTraffic: boolean;
  /** Base units of wallets outside the simulation. */
  readonly outsideTokens: number;
  /** Last trade of such a wallet, or the listing. */
  readonly lastOutsideAt: number;
  /** Returns the newest known state. */
  followed(): FollowedCoin;
  /** Applies an event of the chain and returns it as the market observes it. */
  apply(event: ChainEvent, now: number): ChainEvent['observation'];
  /** Lets simulated wallets follow a path, from `at` on. */
  trade(path: LifePath, at: number): void;
  /** Ends the trades of simulated wallets. `forgets`: and forgets their balances. */
  silence(forgets: boolean): void;
  /** Makes the trades that are due. */
  advance(now: number): void;
}

/** Chain times are whole seconds, so an event may be this much later, ms. */
const CHAIN_TIME_STEP = 999;

/** Creates the twin of a coin on the chain. `lastSignature`: of its newest known event; null for none on the chain. */
export function createTwin(coin: Coin, deps: CrowdDeps, since: { at: number; lastSignature: string | null }): Twin {
  const { dice, launchpad } = deps;
  const orders = createCrowdOrders(coin, deps.send);
  let path: LifePath | null = null;
  let nextAt = Number.POSITIVE_INFINITY;
  const reactions = createReactions(dice);
  let outsideTokens = 0;
  let lastOutsideAt = since.at;
  let lastAt = since.at;
  let { lastSignature } = since;
  const migration = createMigration(coin, deps, since.at);

  const floor: TradingFloor = {
    dice,
    identities: deps.identities,
    get solUsd() {
      return deps.solUsd();
    },
    buy: (_, wallet, net) => orders.add({ side: 'buy', wallet, net }),
    sell: (_, wallet, tokens) => orders.add({ side: 'sell', wallet, tokens }),
  };

  return {
    coin,
    get hasTraffic() {
      return path !== null;
    },
    get outsideTokens() {
      return outsideTokens;
    },
    get lastOutsideAt() {
      return lastOutsideAt;
    },
    followed: () => ({ address: coin.address, lastSignature, reserves: coin.reserves }),
    apply({ observation, isCrowd }, now) {
      const { chain, receivedAt } = observation;
      lastAt = Math.max(lastAt, Math.min(receivedAt, observation.at + CHAIN_TIME_STEP));
      lastSignature = chain.signature;
      const place = { source: 'simulator', at: lastAt, chain: { ...chain, slot: slotAt(lastAt) } } as const;
      if (observation.kind !== 'trade') {
        migration.onEvent(observation, now);
        return { ...observation, ...place };
      }
      coin.reserves = { ...observation.reserves };
      move(coin, observation, isCrowd);
      if (!isCrowd) outsideTokens = Math.max(0, outsideTokens + signedTokens(observation));
      if (isCrowd) orders.onTrade(observation);
      else {
        lastOutsideAt = now;
        reactions.add(observation, now);
      }
      return { ...observation, ...place, launchpad, creator: coin.creator };
    },
    trade(given, at) {
      path = given;
      nextAt = at;
    },
    silence(forgets) {
      path = null;
      nextAt = Number.POSITIVE_INFINITY;
      reactions.clear();
      orders.clear();
      if (!forgets) return;
      coin.holders = new Holders();
      coin.holdersKnown = false;
    },
    advance(now) {
      migration.advance(now);
      reactions.advance(floor, coin, now);
      if (path !== null && now >= nextAt) {
        const wait = path.step(floor, coin, now);
        if (wait === null) path = null;
        nextAt = wait === null ? Number.POSITIVE_INFINITY : now + Math.max(1, wait);
      }
      orders.advance(now);
    },
    plannedBuy: (wallet, net) => orders.add({ side: 'buy', wallet, net }),
    plannedSale: (wallet, share) => orders.add({ side: 'sell', wallet, share }),
  };
}

/** Applies a trade to the balances, with those outside apart, so that no simulated seller sells them. */
function move(coin: Coin, { side, wallet, tokenAmount, quoteAmount }: TradeObservation, isCrowd: boolean): void {
  if (!isCrowd) coin.holders.plan(wallet);
  if (side === 'buy') coin.holders.add(wallet, tokenAmount);
  else coin.holders.take(wallet, tokenAmount);
  coin.volume += quoteAmount;
}

const signedTokens = ({ side, tokenAmount }: TradeObservation): number => (side === 'buy' ? tokenAmount : -tokenAmount);

/** Creates the move of a sold-out coin into its pool. `since`: the coin may have been sold out then, in an earlier run. */
function createMigration(
  coin: Coin,
  { dice, migrate }: { dice: Dice; migrate(address: string): Promise<void> },
  since: number,
) {
  let dueAt = since;
  return {
    /** Applies the end of the curve, or the move. */
    onEvent(event: CompletedObservation | MigratedObservation, now: number): void {
      if (event.kind === 'migrated') enterPool(coin, event);
      else {
        coin.stage = 'complete';
        dueAt = now + dice.between(MIGRATION_DELAY.from, MIGRATION_DELAY.to);
      }
    },
    /** Sends the move when it is due. */
    advance(now: number): void {
      if (coin.stage !== 'complete' || now < dueAt) return;
      dueAt = now + RETRY;
      void migrate(coin.address);
    },
  };
}

/** Moves the coin into its pool: the pool's liquidity has no owner who could withdraw it. */
function enterPool(coin: Coin, { reserves }: MigratedObservation): void {
  coin.stage = 'pool';
  coin.lpLockedPercent = LP_BURNT_PERCENT;
  if (reserves !== undefined) coin.reserves = { ...reserves };
}

/** Trades that follow one of a wallet outside: their number, their delay, and their size as a share of it. Estimates. */
const REACTIONS = { most: 3, after: { from: SECOND, to: 9 * SECOND }, size: { from: 0.1, to: 0.5 } } as const;
/** Share of purchases among them: some follow a purchase, others take their profit; some buy after a sale. */
const REACTION_BUYS = { buy: 0.5, sell: 0.55 } as const;
const MOST_REACTIONS = 8;
interface Reaction {
  /** Epoch ms. */
  at: number;
  side: 'buy' | 'sell';
  quote: number;
}

/** Creates the simulated trades that follow one from outside, as others see the price move. */
function createReactions(dice: Dice) {
  let reactions: Reaction[] = [];
  return {
    add({ side, quoteAmount }: { side: 'buy' | 'sell'; quoteAmount: number }, now: number): void {
      for (let left = dice.whole(1, REACTIONS.most); left > 0 && reactions.length < MOST_REACTIONS; left -= 1) {
        reactions.push({
          at: now + dice.between(REACTIONS.after.from, REACTIONS.after.to),
          side: dice.chance(REACTION_BUYS[side]) ? 'buy' : 'sell',
          quote: quoteAmount * dice.between(REACTIONS.size.from, REACTIONS.size.to),
        });
      }
    },
    /** Makes the due ones. */
    advance(floor: TradingFloor, coin: Coin, now: number): void {
      if (reactions.length === 0) return;
      for (const { side, quote } of reactions.filter(({ at }) => at <= now)) {
        // The holders of a coin of an earlier run are unknown, so there may be no seller.
        if (side === 'buy' || coin.holders.pick(dice) === null) buyFor(floor, coin, now, quote);
        else sellFor(floor, coin, now, quote);
      }
      reactions = reactions.filter(({ at }) => at > now);
    },
    clear(): void {
      reactions = [];
    },
  };
}
