import type { Logger } from 'pino';
import type { Clock, Random } from '../../common/time.ts';
import { GROWTH_WINDOW } from '../../common/tokens/growth.ts';
import type { Publisher } from '../../realtime/publisher.ts';
import type { EventBus } from '../events/bus.ts';
import type { TradeRecord } from '../tokens/record.ts';
import { createIngestQueue, type IngestQueue } from './ingest/queue.ts';
import { createOutbox, type Outbox } from './publish/outbox.ts';
import { createPublishPipeline, type PublishPipeline } from './publish/publish-pipeline.ts';
import type { MarketStore } from './publish/store.ts';
import { createWriter, type Writer } from './publish/writer.ts';
import { createSolRate, type SolRate } from './token/merge/sol-rate.ts';
import type { ChainWatch } from './token/merge/trade-chain.ts';
import { createHistories, type Histories } from './token/score/histories.ts';
import { createHydrator, type Hydrator } from './token/state/hydrate.ts';
import { isInsiderTrade, type LiveToken } from './token/state/live-token.ts';
import { createLiveTokens, type LiveTokens } from './token/state/live-tokens.ts';
import { createMarketFeed, type MarketFeed } from './traded/market-feed.ts';
import { createPriceSteps, type PriceSteps } from './traded/price-steps.ts';

export interface EngineDeps {
  store: MarketStore;
  publisher: Publisher;
  bus: Pick<EventBus, 'emit' | 'hasSubscribers'>;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Dollars for 1 SOL until a source reports a rate; null when not configured. */
  solUsd: number | null;
  /** Receives gaps in the trades of coins. */
  chainWatch?: ChainWatch;
}

/** Parts and state of an engine. */
export interface EngineState {
  deps: EngineDeps;
  queue: IngestQueue;
  tokens: LiveTokens;
  writer: Writer;
  outbox: Outbox;
  pipeline: PublishPipeline;
  hydrator: Hydrator;
  histories: Histories;
  rate: SolRate;
  steps: PriceSteps;
  feed: MarketFeed;
  /** Receive times (epoch ms) of the live observations merged in this tick. */
  received: number[];
  /** Time of the last check of the memory bounds, epoch ms. */
  trimmedAt: number;
  /** Start of the last tick, epoch ms; null before the first. */
  tickedAt: number | null;
  /** Jobs that run before the next tick. */
  jobs: (() => Promise<void>)[];
}

/** Creates the parts of an engine without any token. */
export function createState(deps: EngineDeps): EngineState {
  const { store, publisher, clock, log } = deps;
  const feed = createMarketFeed(log);
  const tokens = createLiveTokens(feed.drop);
  const writer = createWriter(deps);
  const outbox = createOutbox(deps);
  return {
    deps,
    queue: createIngestQueue(log),
    tokens,
    writer,
    outbox,
    pipeline: createPublishPipeline({ writer, outbox, clock, cursor: publisher.cursor() }),
    hydrator: createHydrator({ tokens, store, writer }),
    histories: createHistories(tokens, (live) => markChanged({ writer, outbox }, live)),
    rate: createSolRate(deps.solUsd, clock.now()),
    steps: createPriceSteps(log),
    feed,
    received: [],
    trimmedAt: Number.NEGATIVE_INFINITY,
    tickedAt: null,
    jobs: [],
  };
}

/** Tokens that are read at once. */
const PAGE = 500;

/** Loads the state of earlier runs from MongoDB. `recovered`: tokens that a crash had left behind, whose scores are computed again. */
export async function load(state: EngineState, recovered: readonly string[]): Promise<void> {
  const { deps, queue, tokens, hydrator, histories, rate, writer } = state;
  const now = deps.clock.now();
  const stored = await deps.store.loadState(now, GROWTH_WINDOW);
  writer.open(stored.position, now);
  hydrator.numberAfter(stored.highestNumber);
  rate.restore(stored.rate, now);
  for (const launch of stored.launches) histories.add(launch);
  for (const id of stored.tradeIds) queue.markSeen(id);
  for (const record of stored.tokens) tokens.load(record, now);
  const others = recovered.filter((address) => tokens.get(address) === undefined);
  for (let from = 0; from < others.length; from += PAGE) {
    for (const record of await deps.store.tokens(others.slice(from, from + PAGE))) tokens.load(record, now);
  }
  restoreMomentum(tokens, stored.trades);
}

/** Marks a token to be stored and published with this tick. */
export function markChanged({ writer, outbox }: Pick<EngineState, 'writer' | 'outbox'>, live: LiveToken): void {
  writer.addToken(live);
  outbox.addToken(live);
}

/** Adds the trades of the growth window, oldest first. The first one of a token has no price before it. */
function restoreMomentum(tokens: LiveTokens, trades: readonly TradeRecord[]): void {
  const prices = new Map<string, number | null>();
  for (const { address, at, side, wallet, lamports, slot, price } of trades) {
    const live = tokens.get(address);
    if (live === undefined) continue;
    const trade = { at: at.getTime(), side, wallet, lamports };
    const priceBefore = prices.get(address) ?? null;
    live.momentum.add({ ...trade, priceBefore, priceAfter: price }, isInsiderTrade(live, wallet, slot));
    prices.set(address, price);
  }
}
