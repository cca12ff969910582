import { expect } from 'vitest';
import { MINUTE } from '../../../../../../common/time.ts';
import { PRESENT } from '../../../../testing/simulated-market.ts';
import type { Observation } from '../../../observation.ts';
import { worldWithPast } from '../../history.ts';
import { seededRandom } from '../../random.ts';
import type { CoinToList } from '../coin-chain.ts';
import { createListedCoins } from '../listed-coins.ts';
import { fakeChain } from './fake-chain.ts';

const STEP = 1_000;

/** A simulated market without a past, whose coins can be listed on a fake chain. */
export function simulation(seed = 'listed') {
  const chain = fakeChain();
  const clock = { at: PRESENT, now: () => clock.at };
  const world = worldWithPast({ random: seededRandom(seed), from: PRESENT, present: PRESENT, rate: 20, solUsd: 150 });
  const listed = createListedCoins({ chain: chain.port, random: seededRandom('crowd'), clock });
  const observations: Observation[] = [];
  const context = { observe: (some: readonly Observation[]) => void observations.push(...some) };
  listed.start({ world, context, stored: [], now: PRESENT });
  return {
    chain,
    clock,
    listed,
    observations,
    /** Lets time pass; the chain makes every trade of the crowd, and every move into a pool, at once. */
    pass(ms: number) {
      for (const end = clock.at + ms; clock.at < end; ) {
        clock.at += STEP;
        context.observe(world.advance(clock.at, clock.at));
        listed.advance(clock.at);
        for (const order of chain.orders.splice(0)) chain.trade(order, clock.at, true);
        for (const address of chain.migrations.splice(0)) chain.migrate(address, clock.at);
        chain.flush();
      }
    },
    trades: (address: string) => observations.filter((one) => one.kind === 'trade' && one.address === address),
    /** Returns the coin with the most trades in the last minute, as it was launched. */
    busiest(): CoinToList {
      const counts = new Map<string, number>();
      for (const one of observations) {
        if (one.kind !== 'trade' || one.quote !== 'SOL' || one.at < clock.at - MINUTE) continue;
        if (one.reserves.realToken > 500_000_000_000_000) counts.set(one.address, (counts.get(one.address) ?? 0) + 1);
      }
      const [address] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? expect.fail('no trades');
      const created = observations.find((one) => one.kind === 'created' && one.address === address);
      if (created?.kind !== 'created') return expect.fail('no creation');
      return { address, creator: created.creator, createdAt: created.at, reserves: created.reserves };
    },
  };
}
