import { MINUTE } from '../../../../../common/time.ts';
import type { TradeObservation } from '../../observation.ts';
import { type Coin, type Fill, migrationFee } from '../coin/coin.ts';
import { isWorthOrigins, readFacts, readOrigins } from '../coin/coin-facts.ts';
import { migratedPool } from '../coin/curve.ts';
import { KNOWN_SLOT, SLOT_MS } from '../figures.ts';
import type { Dice } from '../random.ts';
import type { WorldEvent } from './floor.ts';
import type { Identities } from './identities.ts';

/** Delay between the completion of a curve and its pool, ms. */
export const MIGRATION_DELAY = { from: 800, to: 8_000 } as const;
/** LP tokens are burnt at migration. */
export const LP_BURNT_PERCENT = 100;
/** Ages of a coin when its origins are due, and the delay of up to 21 requests within a node's limit, ms. */
const ORIGIN_AGES = [2 * MINUTE, 5 * MINUTE, 15 * MINUTE] as const;
const ORIGIN_DELAY = { from: 2_000, to: 40_000 } as const;

/** What the events of a coin need from its world. */
export interface WorldCore {
  readonly dice: Dice;
  readonly identities: Identities;
  readonly launchpad: string;
  /** Length of a slot, ms. */
  readonly slotMs: number;
  schedule(at: number, run: (at: number) => void): void;
  emit(event: WorldEvent): void;
  position(at: number, signature?: string, index?: number): TradeObservation['chain'];
}

export type CoinEvents = ReturnType<typeof createCoinEvents>;

export function createCoinEvents(
  { dice, identities, launchpad, slotMs, schedule, emit, position }: WorldCore,
  generation: () => number,
) {
  function scheduleForCoin(at: number, run: (at: number) => void): void {
    const planned = generation();
    schedule(at, (when) => {
      if (planned === generation()) run(when);
    });
  }

  function scheduleMigration(coin: Coin, at: number): void {
    scheduleForCoin(at + dice.between(MIGRATION_DELAY.from, MIGRATION_DELAY.to), (when) => migrate(coin, when));
  }

  function scheduleFacts(coin: Coin, at: number): void {
    scheduleForCoin(at, (when) => emit(readFacts(dice, coin, when, slotAt(when, slotMs))));
  }

  function scheduleOrigins(coin: Coin, attempt = 0): void {
    const age = ORIGIN_AGES[attempt];
    if (age === undefined) return;
    scheduleForCoin(coin.createdAt + age + dice.between(ORIGIN_DELAY.from, ORIGIN_DELAY.to), (when) => {
      if (isWorthOrigins(coin)) emit(readOrigins(coin, identities, when, slotAt(when, slotMs)));
      else scheduleOrigins(coin, attempt + 1);
    });
  }

  function migrate(coin: Coin, at: number): void {
    coin.reserves = migratedPool(coin.reserves, migrationFee(coin.quote));
    coin.stage = 'pool';
    coin.lpLockedPercent = LP_BURNT_PERCENT;
    emit({
      kind: 'migrated',
      at,
      chain: position(at),
      address: coin.address,
      pool: identities.address(),
      quoteAmount: coin.reserves.realQuote,
    });
    scheduleFacts(coin, at + dice.between(2_000, 30_000));
  }

  return {
    /** Emits a trade and its consequences: the completion of the curve, later the pool. */
    trade(coin: Coin, fill: Fill | null, at: number, chain: TradeObservation['chain'] = position(at)): void {
      if (!fill) return;
      emit(tradeOf(coin, fill, { at, chain, launchpad }));
      if (coin.stage !== 'complete') return;
      emit({ kind: 'completed', at, address: coin.address, chain: { ...chain, index: chain.index + 1 } });
      scheduleMigration(coin, at);
    },
    /** Schedules an event of an existing coin, which `clear` cancels. */
    scheduleForCoin,
    scheduleMigration,
    /** Schedules a reading of the coin's facts at `at`; dead coins are read too. */
    scheduleFacts,
    /** Schedules readings of who paid for the coin and funded its early buyers, once the coin is worth the requests. */
    scheduleOrigins: (coin: Coin): void => scheduleOrigins(coin),
  };
}

function tradeOf(coin: Coin, fill: Fill, event: Pick<TradeObservation, 'at' | 'chain' | 'launchpad'>): WorldEvent {
  return {
    kind: 'trade',
    ...event,
    address: coin.address,
    side: fill.side,
    wallet: fill.wallet,
    quote: coin.quote,
    quoteAmount: fill.quoteAmount,
    tokenAmount: fill.tokenAmount,
    reserves: { ...coin.reserves },
    creator: coin.creator,
    cluster: null,
    venue: coin.stage === 'pool' ? 'pool' : 'curve',
  };
}

/** Returns the slot at a time, as if all slots since July 2026 had this length, ms. */
export function slotAt(at: number, slotMs: number = SLOT_MS): number {
  return KNOWN_SLOT.slot + Math.floor((at - KNOWN_SLOT.at) / slotMs);
}
