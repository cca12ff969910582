import { MINUTE } from '../../../../../common/time.ts';
import type { MigratedObservation, Observation } from '../../observation.ts';
import type { StoredToken } from '../../source.ts';
import { type Coin, multipleOf } from '../coin/coin.ts';
import { resumedPath } from '../lives/paths.ts';
import { coinOf, pathOf, STILL_TRADING } from '../resume-coins.ts';
import type { LifePath } from '../world/floor.ts';
import type { ChainEvent, FollowedCoin } from './coin-chain.ts';
import { type CrowdDeps, createTwin, type Twin } from './twin.ts';

/** The followed coins, and which of them simulated wallets trade. Times are epoch ms. */
export type Twins = ReturnType<typeof createTwins>;

/** Most coins that are followed, and of these most that simulated wallets trade. */
export const MOST_FOLLOWED = 20_000;
const MOST_WITH_TRAFFIC = 200;
/** A coin without holders outside goes silent this long after the last trade from outside, ms. */
const IDLE = 30 * MINUTE;
/** Path of a silent coin that is traded from outside: trades a minute, and its length, ms. Estimates. */
const WOKEN = { pace: { from: 1, to: 4 }, lasts: { from: 4 * MINUTE, to: 12 * MINUTE } } as const;
/** Delay of the first trade of a resumed coin, ms. */
const RESUMED_AFTER = { from: 200, to: 20_000 } as const;

export function createTwins(deps: CrowdDeps) {
  const { dice } = deps;
  const twins = new Map<string, Twin>();
  /** Coins of stored positions, whose holders are unknown after a restart. */
  const pinned = new Set<string>();

  function begin(twin: Twin, path: LifePath, at: number): void {
    const trading = [...twins.values()].filter(({ hasTraffic }) => hasTraffic);
    if (trading.length >= MOST_WITH_TRAFFIC) quietest(trading)?.silence(false);
    twin.trade(path, at);
  }

  function wake(twin: Twin, now: number): void {
    const { coin } = twin;
    const pace = dice.between(WOKEN.pace.from, WOKEN.pace.to);
    const lastsFor = dice.between(WOKEN.lasts.from, WOKEN.lasts.to);
    const path = resumedPath(dice, { age: now - coin.createdAt, multiple: multipleOf(coin), pace, lastsFor });
    begin(twin, path, now);
  }

  function isIdle({ coin, outsideTokens, lastOutsideAt }: Twin, now: number): boolean {
    return outsideTokens === 0 && !pinned.has(coin.address) && now - lastOutsideAt > IDLE;
  }

  return {
    get size(): number {
      return twins.size;
    },
    get: (address: string): Twin | undefined => twins.get(address),
    /** Adds a coin; with a path, simulated wallets trade it from `at` on. */
    add(coin: Coin, path: LifePath | null, at: number): void {
      const twin = createTwin(coin, deps, { at, lastSignature: null });
      twins.set(coin.address, twin);
      if (path !== null) begin(twin, path, at);
    },
    /** Adds a coin of an earlier run. */
    resume(token: StoredToken, now: number): void {
      const coin = coinOf(token);
      if (coin === null || twins.size >= MOST_FOLLOWED) return;
      const at = token.lastTradeAt ?? token.createdAt;
      const twin = createTwin(coin, deps, { at, lastSignature: token.lastSignature });
      twins.set(coin.address, twin);
      if (token.isPinned) pinned.add(coin.address);
      if (!token.isPinned && now - at > STILL_TRADING) return;
      begin(twin, pathOf(dice, coin, now), now + dice.between(RESUMED_AFTER.from, RESUMED_AFTER.to));
    },
    followed: (): FollowedCoin[] => [...twins.values()].map((twin) => twin.followed()),
    /** Applies events of the chain and returns those of followed coins as the market observes them. */
    apply: (events: readonly ChainEvent[], now: number): Observation[] =>
      events.flatMap((event): Observation[] => {
        const twin = twins.get(event.observation.address);
        if (twin === undefined) return [];
        const observation = twin.apply(event, now);
        if (!event.isCrowd && !twin.hasTraffic && twin.coin.stage !== 'complete') wake(twin, now);
        if (observation.kind !== 'migrated') return [observation];
        // The course of its life may be far from its opening price.
        begin(twin, pathOf(dice, twin.coin, now), now);
        return [observation, factsOfPool(twin.coin, observation)];
      }),
    advance(now: number): void {
      for (const twin of twins.values()) {
        if (twin.hasTraffic && isIdle(twin, now)) twin.silence(true);
        else twin.advance(now);
      }
    },
    clear(): void {
      twins.clear();
      pinned.clear();
    },
  };
}

/** Returns the facts of a pool that has just opened: its liquidity has no owner who could withdraw it. */
function factsOfPool({ address, lpLockedPercent }: Coin, { at, receivedAt, chain }: MigratedObservation): Observation {
  return { kind: 'facts', source: 'simulator', at, receivedAt, address, facts: { lpLockedPercent }, slot: chain.slot };
}

/** Returns the coin that matters least: without holders outside, and longest without a trade from there. */
function quietest(twins: readonly Twin[]): Twin | undefined {
  const [held, others] = [
    twins.filter((twin) => twin.outsideTokens > 0),
    twins.filter((twin) => twin.outsideTokens === 0),
  ];
  const candidates = others.length > 0 ? others : held;
  return candidates.toSorted((a, b) => a.lastOutsideAt - b.lastOutsideAt)[0];
}
