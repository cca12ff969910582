import { setTimeout as pause } from 'node:timers/promises';
import { Types } from 'mongoose';
import type { Logger } from 'pino';
import { createLocalLaunchpad } from '../../../api/launchpad/local-launchpad.ts';
import type { Market } from '../../../api/market/market.ts';
import type { Observation } from '../../../api/market/sources/observation.ts';
import { createListedCoins, type ListedCoins } from '../../../api/market/sources/simulator/listed/listed-coins.ts';
import { createSimulator } from '../../../api/market/sources/simulator/simulator.ts';
import type { Source } from '../../../api/market/sources/source.ts';
import { createPositionExits } from '../../../api/trading/positions/exits/exits.ts';
import { createPeaks } from '../../../api/trading/positions/exits/peaks.ts';
import type { PositionRecord } from '../../../api/trading/positions/model.ts';
import { createOpenBook } from '../../../api/trading/positions/open-book.ts';
import { openPosition } from '../../../api/trading/positions/testing/position.ts';
import { createPositionValues, positionValue } from '../../../api/trading/positions/values.ts';
import { noExits } from '../../../common/trading/account.ts';
import { type LocalChain, startLocalChain } from '../../local-chain/launcher.ts';

/** Launches a minute of the simulated market beside the measured coins. */
const LAUNCHES = 60;
const LISTED = 30;
/** The past of the simulated market is played before, ms between two looks. */
const LIVE_CHECK_MS = 50;
const USERS = 100;
const clock = { now: Date.now };

/** The simulated market of a run, and what trading adds to it. */
interface BenchTrading {
  source: Source;
  /** Lists simulated coins, and opens a position of each of these coins, which follow every price. */
  begin(market: Market, addresses: readonly string[]): Promise<void>;
  /** Listed coins, and their trades on the chain so far. */
  figures(): { listed: number; chainTrades: number; positions: number };
  stop(): Promise<void>;
}

/** Opens the simulated market of a run; with trading also a local chain for its coins. */
export async function openBenchTrading(isOn: boolean, directory: string, log: Logger): Promise<BenchTrading> {
  const chain: LocalChain | null = isOn ? await startLocalChain(directory) : null;
  const launchpad = chain && createLocalLaunchpad({ chain, clock, random: Math.random, log });
  const listed = launchpad && createListedCoins({ chain: launchpad, random: Math.random, clock });
  const seen = createSeen();
  const simulator = createSimulator({ rate: LAUNCHES, seed: 1, clock, solUsd: 150, listed });
  const parts: { stop(): unknown }[] = [launchpad, chain].filter((part) => part !== null);
  let positions = 0;
  return {
    source: {
      ...simulator,
      start: (context) =>
        simulator.start({
          ...context,
          observe(observations, how) {
            seen.add(observations);
            context.observe(observations, how);
          },
        }),
    },
    async begin(market, addresses) {
      while (simulator.status().state !== 'live') await pause(LIVE_CHECK_MS);
      if (!listed) return;
      await listBusiest(market, listed, seen);
      const book = createOpenBook(market);
      for (const [index, address] of addresses.entries()) book.set(positionOf(address, index));
      positions = addresses.length;
      const exits = createPositionExits({
        ...{ book, market, clock, log },
        peaks: createPeaks({ book, store: { raisePeaks: async () => {} }, log }),
        updateAll: async () => [],
        sell: async () => 'lasting',
        isPaused: () => false,
      });
      const values = createPositionValues({
        book,
        market,
        value: (position) =>
          positionValue(position, market.liveCoin(position.token.address), book.lotOf(position), clock.now()),
        isListening: () => true,
        bus: { emit: () => undefined },
      });
      parts.push(exits, values);
      for (const part of [exits, values]) part.start();
    },
    figures: () => ({ listed: seen.listed(), chainTrades: seen.chainTrades(), positions }),
    async stop() {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

/** Counts the trades of simulated coins. */
function createSeen() {
  const counts = new Map<string, number>();
  const local = new Set<string>();
  let chainTrades = 0;
  return {
    add(observations: readonly Observation[]): void {
      for (const one of observations) {
        if (one.kind !== 'trade' || one.venue !== 'curve' || one.quote !== 'SOL') continue;
        if (one.at > Date.now() - 60_000) counts.set(one.address, (counts.get(one.address) ?? 0) + 1);
        if (one.cluster !== 'local') continue;
        local.add(one.address);
        chainTrades += 1;
      }
    },
    busiest: () => [...counts].toSorted((a, b) => b[1] - a[1]).map(([address]) => address),
    listed: () => local.size,
    chainTrades: () => chainTrades,
  };
}

async function listBusiest(
  market: Market,
  listed: ListedCoins,
  { busiest }: ReturnType<typeof createSeen>,
): Promise<void> {
  for (const address of busiest().slice(0, LISTED)) {
    const coin = await market.coin(address);
    const { creator = null, createdAt = null, reserves = null } = coin ?? {};
    if (creator !== null && createdAt !== null && reserves !== null) {
      await listed.ensure({ address, creator, createdAt, reserves });
    }
  }
}

/** Returns a position whose exits never fire. */
function positionOf(address: string, index: number): PositionRecord {
  return {
    ...openPosition(new Types.ObjectId((index % USERS).toString(16).padStart(24, '0'))),
    wallet: address,
    token: { address, name: null, symbol: null, decimals: 6 },
    entryPrice: 0.000_000_03,
    exits: { ...noExits, stopLossPercent: 99, takeProfitPercent: 100_000 },
  };
}
