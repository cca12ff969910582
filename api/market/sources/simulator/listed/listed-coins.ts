import type { Clock, Random } from '../../../../../common/time.ts';
import type { ReasonCode } from '../../../../../common/trading/reasons.ts';
import { curveRefusal } from '../../../../../common/trading/venue.ts';
import { withTimeout } from '../../../../platform/resilience.ts';
import type { SourceContext, StoredToken } from '../../source.ts';
import { type Coin, newCoin } from '../coin/coin.ts';
import { createDice } from '../random.ts';
import { slotAt } from '../world/coin-events.ts';
import { createIdentities, type Identities } from '../world/identities.ts';
import type { World } from '../world/world.ts';
import type { CoinChain, CoinToList } from './coin-chain.ts';
import { createTwins, MOST_FOLLOWED, type Twins } from './twins.ts';

/** Simulated coins that are on the local chain, which is the truth about them from their listing on. */
export type ListedCoins = ReturnType<typeof createListedCoins>;

/** A run of the simulator, from its start to its stop. */
export interface ListedRun {
  world: World;
  context: Pick<SourceContext, 'observe'>;
  stored: readonly StoredToken[];
  now: number;
}

/** Longest wait for the chain at a start, ms. The market must not wait for it. */
const CHAIN_TIMEOUT = 10_000;

interface Current extends Pick<ListedRun, 'world' | 'context'> {
  twins: Twins;
  /** Listings under way, by address. */
  pending: Map<string, Promise<ReasonCode | null>>;
  end(): void;
}

export function createListedCoins(deps: { chain: CoinChain; random: Random; clock: Clock }) {
  const { chain, clock } = deps;
  const dice = createDice(deps.random);
  const identities = createIdentities(dice);
  let current: Current | null = null;

  return {
    /** Resolves with the addresses of the coins on the chain; null when it does not respond. */
    async find(): Promise<ReadonlySet<string> | null> {
      const responded = chain.listed().catch(() => null);
      const found = await withTimeout(responded, CHAIN_TIMEOUT);
      return found?.value ? new Set(found.value) : null;
    },
    /** Begins to follow the chain. `stored`: coins of earlier runs that are on it. */
    start({ world, context, stored, now }: ListedRun): void {
      const { launchpad } = world;
      const twins = createTwins({
        dice,
        identities,
        solUsd: () => world.solUsd,
        send: chain.trade,
        migrate: chain.migrate,
        launchpad,
      });
      for (const token of stored) twins.resume(token, now);
      const end = chain.follow({
        coins: twins.followed,
        onEvents: (events) => context.observe(twins.apply(events, clock.now())),
      });
      current = { world, context, twins, pending: new Map(), end };
    },
    /** Makes the trades of simulated wallets that are due. */
    advance: (now: number): void => current?.twins.advance(now),
    /** Forgets all coins: none of them is reported again. */
    clear(): void {
      current?.twins.clear();
      current?.pending.clear();
    },
    stop(): void {
      current?.end();
      current = null;
    },
    /** Returns whether the coin is on the chain and followed there. */
    has: (address: string): boolean => current?.twins.get(address) !== undefined,
    /** Resolves with null once the coin is on the chain, listing it if need be, otherwise with the reason why it is not. */
    async ensure(coin: CoinToList): Promise<ReasonCode | null> {
      const run = current;
      if (run === null) return 'stale';
      if (run.twins.get(coin.address) !== undefined) return null;
      const known = run.pending.get(coin.address);
      if (known !== undefined) return known;
      if (run.twins.size >= MOST_FOLLOWED) return 'too-many-listed';
      const started = list(run, { chain, clock, identities }, coin).finally(() => {
        if (run.pending.get(coin.address) === started) run.pending.delete(coin.address);
      });
      run.pending.set(coin.address, started);
      return started;
    },
  };
}

/** Lists a coin while its life in the world pauses; after a failed listing it goes on there. */
async function list(
  run: Current,
  { chain, clock, identities }: { chain: CoinChain; clock: Clock; identities: Identities },
  toList: CoinToList,
): Promise<ReasonCode | null> {
  const { world, twins, context } = run;
  const { address } = toList;
  const known = world.find(address);
  const refusal = known === null ? null : curveRefusal(known.coin);
  if (refusal !== null) return refusal;
  const coin = known?.coin ?? unknownCoin(toList);
  const at = Math.max(world.now, clock.now());
  world.handOver(address, () => twins.get(address));
  const listing = await chain.list({ ...toList, reserves: coin.reserves });
  // All tokens were removed meanwhile.
  if (!run.pending.has(address)) return 'stale';
  if (!listing.ok) {
    world.takeBack(address);
    return listing.code;
  }
  // Events of a coin that was on the chain before this process found out.
  const missed = { address, lastSignature: null, reserves: coin.reserves };
  const earlier = listing.isNew ? [] : await chain.missed(missed).catch(() => []);
  coin.reserves = { ...listing.reserves };
  coin.stage = listing.stage;
  twins.add(coin, known?.path ?? null, at);
  world.end(coin);
  if (!listing.isNew && earlier.length === 0) {
    // Without a trade on the chain since, the market knows the reserves of the counterpart only.
    const place = { signature: identities.signature(), index: 0, slot: slotAt(at) };
    const event = { kind: 'reserves', source: 'simulator', at, chain: place, address, ...reservesOf(listing) } as const;
    context.observe([{ ...event, receivedAt: Math.max(at, clock.now()) }]);
  }
  context.observe(twins.apply(earlier, clock.now()));
  return null;
}

function reservesOf({ stage, reserves }: Pick<Coin, 'stage' | 'reserves'>) {
  const venue = stage === 'pool' ? 'pool' : 'curve';
  return { quote: 'SOL', venue, reserves: { ...reserves }, burned: 0 } as const;
}

/** Returns a coin that has only stored figures. */
function unknownCoin({ address, creator, createdAt, reserves }: CoinToList): Coin {
  const wallets = { creator, developer: creator, feePayer: creator };
  const coin = newCoin({ address, symbol: '', ...wallets, createdAt, quote: 'SOL' });
  return { ...coin, reserves: { ...reserves }, holdersKnown: false };
}
