import { MINUTE } from '../../../../../common/time.ts';
import type { FactsObservation, TradeObservation } from '../../observation.ts';
import { type Coin, type Fill, migrationFee, multipleOf } from '../coin/coin.ts';
import { migratedPool, TOKEN_DECIMALS, TOTAL_SUPPLY } from '../coin/curve.ts';
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

/** Accounts in an RPC node's list of the largest. */
const LARGEST_HOLDERS = 20;

/** Estimates: share of failed readings. */
const UNREAD = { authorities: 0.06, extensions: 0.1, holders: 0.15, metadata: 0.1 } as const;

/** A coin whose origins are worth up to 21 requests: this many buyers, and this price multiple (5 SOL on a standard curve). */
const ORIGINS_MIN_BUYERS = 10;
const ORIGINS_MIN_MULTIPLE = 1.36;

/**
 * Returns the facts of a reading at `slot`; unreadable ones are omitted. As on pump.fun, authorities are revoked, no extension
 * and no transfer fee is on, and the metadata can't change: the launchpad's program creates every mint the same way.
 */
function readFacts(dice: Dice, coin: Coin, at: number, slot: number): Omit<FactsObservation, 'source' | 'receivedAt'> {
  const facts: FactsObservation['facts'] = {};
  if (!dice.chance(UNREAD.authorities)) {
    facts.decimals = TOKEN_DECIMALS;
    facts.totalSupply = String(TOTAL_SUPPLY);
    facts.mintAuthority = 'revoked';
    facts.freezeAuthority = 'revoked';
  }
  if (!dice.chance(UNREAD.extensions)) {
    facts.extensions = [];
    facts.transferFeeBps = 0;
  }
  if (coin.holdersKnown && !dice.chance(UNREAD.holders)) facts.largestHolders = coin.holders.largest(LARGEST_HOLDERS);
  if (!dice.chance(UNREAD.metadata)) facts.metadataMutable = false;
  if (coin.lpLockedPercent !== null) facts.lpLockedPercent = coin.lpLockedPercent;
  return { kind: 'facts', at, address: coin.address, facts, slot };
}

/** Returns whether a reader would spend requests on the origins of this coin. */
function isWorthOrigins(coin: Coin): boolean {
  return coin.earlyBuyers.length >= ORIGINS_MIN_BUYERS && multipleOf(coin) >= ORIGINS_MIN_MULTIPLE;
}

/** Returns who paid for the creation, and the funders of those early buyers whose wallets are young. */
function readOrigins(
  coin: Coin,
  identities: Pick<Identities, 'funderOf'>,
  at: number,
  slot: number,
): Omit<FactsObservation, 'source' | 'receivedAt'> {
  const funders = coin.earlyBuyers.flatMap((wallet) => {
    const funder = coin.funders.get(wallet) ?? identities.funderOf(wallet);
    return funder === null ? [] : [{ wallet, funder }];
  });
  return { kind: 'facts', at, address: coin.address, facts: { feePayer: coin.feePayer, funders }, slot };
}
