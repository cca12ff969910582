import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../../../common/time.ts';
import type { TradeObservation } from '../../observation.ts';
import { MIGRATION_FEE_LAMPORTS, migratedPool } from '../coin/curve.ts';
import { simulation } from './testing/simulation.ts';

/** A market whose busiest coin is on the chain and was bought out by a wallet outside. */
async function soldOut() {
  const market = simulation();
  market.pass(6 * MINUTE);
  const coin = market.busiest();
  expect(await market.listed.ensure(coin)).toBeNull();
  const { address } = coin;
  market.chain.trade({ address, side: 'buy', wallet: 'outside', amount: 100_000_000_000 }, market.clock.at);
  market.chain.flush();
  const own = () => market.observations.filter((one) => 'address' in one && one.address === address);
  const inPool = () =>
    own().filter(
      (one): one is TradeObservation => one.kind === 'trade' && one.venue === 'pool' && one.cluster === 'local',
    );
  return { ...market, address, own, inPool };
}

describe('a listed coin that is sold out', () => {
  test('is moved into its pool within seconds, and is complete until then', async () => {
    const { address, pass, own, chain } = await soldOut();
    expect(own().at(-1)).toMatchObject({ kind: 'completed', source: 'simulator' });
    const last = chain.coins.get(address)?.reserves ?? expect.fail();
    expect(chain.coins.get(address)?.stage).toBe('complete');
    pass(10 * SECOND);
    const pool = migratedPool(last, MIGRATION_FEE_LAMPORTS);
    expect(own()).toContainEqual(expect.objectContaining({ kind: 'migrated', source: 'simulator', reserves: pool }));
    expect(own()).toContainEqual(expect.objectContaining({ kind: 'facts', facts: { lpLockedPercent: 100 } }));
    expect(chain.coins.get(address)?.stage).toBe('pool');
  });

  test('is traded on by simulated wallets in its pool, without a gap', async () => {
    const { pass, own, inPool } = await soldOut();
    pass(15 * MINUTE);
    const opening = own().find((one) => one.kind === 'migrated');
    let { virtualToken: tokens } = (opening?.kind === 'migrated' && opening.reserves) || expect.fail('not migrated');
    expect(inPool().length).toBeGreaterThan(10);
    expect(new Set(inPool().map(({ side }) => side))).toEqual(new Set(['buy', 'sell']));
    for (const { side, tokenAmount, reserves } of inPool()) {
      tokens += side === 'buy' ? -tokenAmount : tokenAmount;
      expect(reserves.virtualToken).toBe(tokens);
    }
  });

  test('is moved again when the first attempt had no effect, and once only', async () => {
    const { address, chain, clock, listed, own } = await soldOut();
    const wait = (ms: number) => {
      for (const end = clock.at + ms; clock.at < end; clock.at += SECOND) listed.advance(clock.at);
    };
    wait(20 * SECOND);
    expect(chain.migrations.length).toBeGreaterThan(1);
    chain.migrate(address, clock.at);
    chain.flush();
    chain.migrations.length = 0;
    wait(20 * SECOND);
    expect(chain.migrations).toEqual([]);
    expect(own().filter(({ kind }) => kind === 'migrated')).toHaveLength(1);
  });

  test('can be sold out by a simulated wallet', async () => {
    const { chain, pass, clock, listed, busiest, observations } = simulation();
    pass(6 * MINUTE);
    const coin = busiest();
    await listed.ensure(coin);
    const left = 84_900_000_000 - (chain.coins.get(coin.address)?.reserves.realQuote ?? 0);
    chain.trade({ address: coin.address, side: 'buy', wallet: 'outside', amount: Math.floor(left * 1.0125) }, clock.at);
    chain.flush();
    for (let minute = 0; minute < 30 && chain.coins.get(coin.address)?.stage === 'curve'; minute += 1) {
      chain.trade({ address: coin.address, side: 'buy', wallet: 'outside', amount: 10_000_000 }, clock.at);
      pass(MINUTE);
    }
    expect(chain.coins.get(coin.address)?.stage).toBe('pool');
    const end = observations.findIndex((one) => one.kind === 'completed' && one.address === coin.address);
    const last = observations.slice(0, end).findLast((one) => one.kind === 'trade' && one.address === coin.address);
    expect(last).not.toMatchObject({ wallet: 'outside' });
  });
});
