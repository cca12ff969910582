import type { Logger } from 'pino';
import { HOUR } from '../../../common/time.ts';
import type { Stage } from '../../../common/tokens/model.ts';
import { solOrNull } from '../../../common/tokens/units.ts';
import { presentScore } from '../../tokens/present.ts';
import type { Reserves, TokenRecord } from '../../tokens/record.ts';
import type { SourceName } from '../sources/observation.ts';
import { isChained } from '../sources/reserve-chain.ts';
import type { HandedFacts, HandedOver, LiveToken } from '../token/state/live-token.ts';

/** A change of a token, in the form in which plans receive it. Times epoch ms, price and liquidity in SOL; unknown is null. */
export type MarketChange =
  | { type: 'token'; token: DetectedToken }
  | { type: 'price'; price: TokenPrice }
  /** After a tick that changed them. */
  | { type: 'facts'; facts: HandedFacts }
  /** Removed, or evicted from memory. */
  | { type: 'gone'; address: string };

/** A token that was detected since plans ask for it. Once more with the same address when its source changes. */
interface DetectedToken {
  address: string;
  symbol: string | null;
  detectedAt: number;
  isNew: true;
  source: SourceName;
  launchpad: string;
}

/** A price within a tick; also one that the next trade reverted. */
interface TokenPrice {
  address: string;
  /** When the market learned of it; never before an earlier price of the token, nor before the tick before. */
  at: number;
  price: number | null;
  liquidity: number | null;
  /** Null also where the formulas of the launchpad are unknown. */
  reserves: Reserves | null;
  venue: 'curve' | 'pool';
  stage: Stage;
}

/** The changes of one tick: prices in the order of the merge, then facts. */
export interface MarketTick {
  /** Time of the tick, epoch ms. */
  now: number;
  changes: MarketChange[];
  /** Tokens of these changes that had figures before the first change: their past is in MongoDB. */
  known: ReadonlySet<string>;
}

/** Receives every tick after its merge and before it is stored, also one without changes. Must be quick. */
export type OnTick = (tick: MarketTick) => void;

/** Hands the changes of new tokens to one listener. Costs nothing without one. */
export type MarketFeed = ReturnType<typeof createMarketFeed>;

/** A token that existed for longer than this before its detection is not new, ms. */
const NEW_WITHIN = HOUR;

/** Returns whether a token was new at its detection: its creation was observed, or was at most an hour before. */
export function wasNew(record: Pick<TokenRecord, 'sinceCreation' | 'createdAt' | 'detectedAt'>): boolean {
  const { sinceCreation, createdAt, detectedAt } = record;
  return sinceCreation === true || (createdAt !== null && detectedAt - createdAt <= NEW_WITHIN);
}

/** Changes of the present tick. */
interface Collected {
  changes: MarketChange[];
  known: Set<string>;
}

const nothing = (): Collected => ({ changes: [], known: new Set() });

export function createMarketFeed(log: Logger) {
  let listener: OnTick | null = null;
  let from = Number.POSITIVE_INFINITY;
  let mustLookAtAll = false;
  let mergedAt = Number.NEGATIVE_INFINITY;
  let collected = nothing();

  /** Hands over what changed of a token; the token as well, if it is new and was detected late enough. */
  function take(live: LiveToken, at: number, now: number): void {
    const { handedOver, record } = live;
    if (handedOver !== null) addChanges(collected, live, handedOver, Math.max(mergedAt, at));
    else if (record.detectedAt >= from && wasNew(record)) begin(collected, live, now);
  }

  function handToListener(now: number): void {
    const tick = { now, ...collected };
    collected = nothing();
    try {
      listener?.(tick);
    } catch (error) {
      // The market goes on for all others.
      log.error({ error }, 'listener of market changes failed');
    }
  }

  return {
    get isFollowed(): boolean {
      return listener !== null;
    },
    /** Begins to hand over tokens that are detected at or after `from` (epoch ms). Existing ones follow with the next tick. */
    follow(begun: number, onTick: OnTick): void {
      if (begun < from) mustLookAtAll = true;
      from = begun;
      listener = onTick;
    },
    /** Ends it. `tokens`: all in memory. */
    unfollow(tokens: Iterable<LiveToken>): void {
      listener = null;
      from = Number.POSITIVE_INFINITY;
      collected = nothing();
      for (const live of tokens) live.handedOver = null;
    },
    /** Takes a token after each merge. */
    add: (live: LiveToken, receivedAt: number, now: number): void => take(live, Math.min(now, receivedAt), now),
    /** Takes a token that is dropped from memory. */
    drop(live: LiveToken): void {
      if (live.handedOver === null) return;
      live.handedOver = null;
      collected.changes.push({ type: 'gone', address: live.record._id });
    },
    /** Hands over the tick, with what its refresh changed. `tokens`: all in memory. */
    flush(now: number, changed: Iterable<LiveToken>, tokens: () => Iterable<LiveToken>): void {
      if (listener !== null) {
        for (const live of mustLookAtAll ? tokens() : changed) {
          take(live, now, now);
          addFacts(collected, live);
        }
        mustLookAtAll = false;
        handToListener(now);
      }
      mergedAt = now;
    },
  };
}

/** Begins to hand over a token, with its price in force. */
function begin({ changes, known }: Collected, live: LiveToken, now: number): void {
  const { record, reservesSource: source } = live;
  // After its first observation.
  const isFirst = record.version <= 1;
  if (!isFirst) known.add(record._id);
  const at = isFirst ? record.detectedAt : now;
  live.handedOver = { ...priceOf(record), at, source, facts: null };
  changes.push({ type: 'token', token: tokenOf(live) }, priceChange(live, at));
}

function addChanges({ changes }: Collected, live: LiveToken, handed: HandedOver, at: number): void {
  const { record, reservesSource } = live;
  if (handed.source !== reservesSource) {
    handed.source = reservesSource;
    changes.push({ type: 'token', token: tokenOf(live) });
  }
  const isSame =
    handed.price === record.price &&
    handed.reserves === record.reserves &&
    handed.stage === record.stage &&
    handed.liquidityLamports === record.liquidityLamports &&
    handed.venue === (record.reservesVenue ?? 'curve');
  if (isSame) return;
  Object.assign(handed, priceOf(record), { at: Math.max(handed.at, at) });
  changes.push(priceChange(live, handed.at));
}

/** Hands over the facts that the end of a tick has left of a token, if they changed. */
function addFacts({ changes }: Collected, { handedOver, record }: LiveToken): void {
  if (handedOver === null) return;
  const facts = factsOf(record);
  if (handedOver.facts !== null && isSameFacts(handedOver.facts, facts)) return;
  handedOver.facts = facts;
  changes.push({ type: 'facts', facts });
}

function tokenOf({ record, reservesSource }: LiveToken): DetectedToken {
  const { _id: address, symbol, detectedAt, launchpad } = record;
  return { address, symbol, detectedAt, isNew: true, source: reservesSource, launchpad };
}

function priceOf({ price, liquidityLamports, reserves, reservesVenue, stage }: TokenRecord) {
  return { price, liquidityLamports, reserves, venue: reservesVenue ?? 'curve', stage } as const;
}

function priceChange({ record }: LiveToken, at: number): MarketChange {
  const { _id: address, launchpad, liquidityLamports } = record;
  const { price, reserves, venue, stage } = priceOf(record);
  const liquidity = solOrNull(liquidityLamports);
  // A copy without further fields: it may be recorded.
  const copied = reserves !== null && isChained(launchpad) ? copyOf(reserves) : null;
  return { type: 'price', price: { address, at, price, liquidity, reserves: copied, venue, stage } };
}

function copyOf({ virtualQuote, virtualToken, realQuote, realToken }: Reserves): Reserves {
  return { virtualQuote, virtualToken, realQuote, realToken };
}

function factsOf(record: TokenRecord): HandedFacts {
  const { _id: address, symbol, holderCount: holders, quote, decimals } = record;
  return { address, symbol, holders, risk: presentScore(record), quote, decimals };
}

function isSameFacts(one: HandedFacts, other: HandedFacts): boolean {
  return (
    one.holders === other.holders &&
    one.risk === other.risk &&
    one.symbol === other.symbol &&
    one.quote === other.quote &&
    one.decimals === other.decimals
  );
}
