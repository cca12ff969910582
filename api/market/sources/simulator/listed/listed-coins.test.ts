import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../../../../common/time.ts';
import { afterCurveTrade } from '../../../../../common/tokens/curve-trades.ts';
import type { Observation, TradeObservation } from '../../observation.ts';
import { simulation } from './testing/simulation.ts';

const isTrade = (one: Observation): one is TradeObservation => one.kind === 'trade';

describe('a listed coin', () => {
  test('trades on the chain alone from then on, and other coins in the world', async () => {
    const { listed, pass, busiest, trades, observations } = simulation();
    pass(6 * MINUTE);
    const coin = busiest();
    const before = observations.length;
    expect(await listed.ensure(coin)).toBeNull();
    pass(10 * MINUTE);
    const later = observations.slice(before).filter(isTrade);
    const clusters = (isListed: boolean) =>
      new Set(later.filter(({ address }) => (address === coin.address) === isListed).map(({ cluster }) => cluster));
    expect(trades(coin.address).length).toBeGreaterThan(0);
    expect([clusters(true), clusters(false)]).toEqual([new Set(['local']), new Set([null])]);
  });

  test('is listed with its newest reserves and trades from there without a gap', async () => {
    const { listed, pass, busiest, chain, trades } = simulation();
    pass(6 * MINUTE);
    const coin = busiest();
    const before = trades(coin.address).filter(isTrade).at(-1) ?? expect.fail();
    const both = [listed.ensure(coin), listed.ensure(coin)];
    expect(await Promise.all(both)).toEqual([null, null]);
    expect(chain.coins.get(coin.address)?.reserves).toEqual(before.reserves);
    pass(10 * MINUTE);
    const after = trades(coin.address)
      .filter(isTrade)
      .filter(({ cluster }) => cluster === 'local');
    expect(after.length).toBeGreaterThan(2);
    let [{ reserves }, { at, chain: place }] = [before, before];
    for (const trade of after) {
      const { side, quoteAmount, tokenAmount } = trade;
      expect(trade.reserves).toEqual(afterCurveTrade(reserves, side, quoteAmount, tokenAmount));
      expect(trade).toMatchObject({ source: 'simulator', launchpad: 'simulator' });
      expect(trade.at).toBeGreaterThanOrEqual(at);
      expect(trade.chain.slot ?? 0).toBeGreaterThanOrEqual(place.slot ?? 0);
      ({ reserves, at, chain: place } = trade);
    }
  });

  test('is sold by simulated wallets that hold it only, never by one outside', async () => {
    const { listed, pass, busiest, chain, trades, clock } = simulation();
    pass(6 * MINUTE);
    const coin = busiest();
    const held = new Map<string, number>();
    await listed.ensure(coin);
    chain.trade({ address: coin.address, side: 'buy', wallet: 'outside', amount: 2_000_000_000 }, clock.at);
    chain.flush();
    pass(10 * MINUTE);
    for (const { wallet, side, tokenAmount } of trades(coin.address).filter(isTrade)) {
      held.set(wallet, (held.get(wallet) ?? 0) + (side === 'buy' ? tokenAmount : -tokenAmount));
      expect(held.get(wallet)).toBeGreaterThanOrEqual(0);
    }
    expect(held.get('outside')).toBeGreaterThan(0);
  });

  test('is traded soon after a trade from outside, also when it was silent', async () => {
    const { listed, pass, observations, chain, trades, clock } = simulation();
    pass(20 * MINUTE);
    const isSilent = (address: string): boolean => {
      const last = trades(address).filter(isTrade).at(-1);
      return last !== undefined && last.reserves.realToken > 0 && last.at < clock.at - 10 * MINUTE;
    };
    const silent = observations.find((one) => one.kind === 'created' && one.quote === 'SOL' && isSilent(one.address));
    if (silent?.kind !== 'created') return expect.fail('no silent coin');
    const { address, creator, at: createdAt, reserves } = silent;
    expect(await listed.ensure({ address, creator, createdAt, reserves })).toBeNull();
    const before = trades(address).length;
    chain.trade({ address, side: 'buy', wallet: 'outside', amount: 1_000_000_000 }, clock.at);
    pass(15_000);
    expect(trades(address).length).toBeGreaterThan(before + 1);
  });

  test('pauses while it is being listed, and goes on in the world when the chain does not list it', async () => {
    const { listed, pass, busiest, chain, trades } = simulation();
    pass(6 * MINUTE);
    const coin = busiest();
    const before = trades(coin.address).length;
    chain.leave();
    const listing = listed.ensure(coin);
    pass(MINUTE);
    expect(trades(coin.address)).toHaveLength(before);
    expect(await listing).toBe('node-away');
    pass(MINUTE);
    const after = trades(coin.address).filter(isTrade).slice(before);
    expect(after.length).toBeGreaterThan(0);
    let { reserves } = trades(coin.address).filter(isTrade)[before - 1] ?? expect.fail();
    for (const trade of after) {
      expect(trade.reserves).toEqual(afterCurveTrade(reserves, trade.side, trade.quoteAmount, trade.tokenAmount));
      ({ reserves } = trade);
    }
  });

  test('is followed from its reserves on the chain when it was listed before, unheard', async () => {
    const { listed, pass, busiest, chain, observations, trades } = simulation();
    pass(6 * MINUTE);
    const coin = busiest();
    chain.loseResponses(true);
    expect(await listed.ensure(coin)).toBe('node-away');
    expect(listed.has(coin.address)).toBe(false);
    pass(2 * MINUTE);
    chain.loseResponses(false);
    const there = chain.coins.get(coin.address)?.reserves;
    expect(trades(coin.address).filter(isTrade).at(-1)?.reserves).not.toEqual(there);
    expect(await listed.ensure(coin)).toBeNull();
    expect(listed.has(coin.address)).toBe(true);
    expect(chain.followed()).toMatchObject([{ address: coin.address, reserves: there }]);
    const last = observations.findLast((one) => 'reserves' in one && one.address === coin.address);
    expect(last).toMatchObject({ kind: 'reserves', source: 'simulator', venue: 'curve', reserves: there });
  });

  test('is forgotten with all tokens', async () => {
    const { listed, pass, busiest, chain, trades, clock } = simulation();
    pass(6 * MINUTE);
    const coin = busiest();
    await listed.ensure(coin);
    const before = trades(coin.address).length;
    listed.clear();
    chain.trade({ address: coin.address, side: 'buy', wallet: 'outside', amount: 1_000_000_000 }, clock.at);
    pass(MINUTE);
    expect(trades(coin.address).length).toBe(before);
  });
});
