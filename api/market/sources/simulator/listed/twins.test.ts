import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../../../common/time.ts';
import type { TradeObservation } from '../../observation.ts';
import { type Coin, newCoin } from '../coin/coin.ts';
import { createDice, seededRandom } from '../random.ts';
import type { LifePath } from '../world/floor.ts';
import { createIdentities } from '../world/identities.ts';
import type { CrowdOrder } from './coin-chain.ts';
import { createTwins } from './twins.ts';

const NOW = Date.UTC(2026, 6, 4, 12);

const path: LifePath = { lasting: false, step: () => 1_000 };

function coinOf(address: string): Coin {
  const creator = 'creator';
  return newCoin({ address, symbol: '', creator, developer: creator, feePayer: creator, createdAt: NOW, quote: 'SOL' });
}

function setup() {
  const dice = createDice(seededRandom('twins'));
  const orders: CrowdOrder[] = [];
  const twins = createTwins({
    dice,
    identities: createIdentities(dice),
    solUsd: () => 150,
    launchpad: 'simulator',
    async send(order) {
      orders.push(order);
      return true;
    },
    migrate: async () => undefined,
  });
  const traffic = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `coin${index}`).filter((address) => twins.get(address)?.hasTraffic);
  return { twins, traffic, orders };
}

/** Returns a purchase by a wallet outside the simulation. */
function purchase(address: string, at: number, tokenAmount = 1_000): { observation: TradeObservation; isCrowd: false } {
  const { reserves } = coinOf(address);
  return {
    isCrowd: false,
    observation: {
      ...{ kind: 'trade', source: 'solana', at, receivedAt: at, address, side: 'buy', wallet: 'outside', quote: 'SOL' },
      chain: { signature: `${address} ${at}`, index: 0, slot: 1 },
      ...{ quoteAmount: 1_000_000_000, tokenAmount, reserves, creator: null, launchpad: 'pump.fun' },
      ...{ cluster: 'local', venue: 'curve' },
    },
  };
}

test('at most 200 coins have traffic: the one without a trade from outside for the longest goes silent', () => {
  const { twins, traffic } = setup();
  for (let index = 0; index < 200; index += 1) twins.add(coinOf(`coin${index}`), path, NOW + index);
  twins.apply([purchase('coin0', NOW + MINUTE)], NOW + MINUTE);
  twins.add(coinOf('coin200'), path, NOW + MINUTE);
  expect(traffic(201)).toHaveLength(200);
  expect(twins.get('coin1')?.hasTraffic).toBe(false);
  expect(twins.get('coin0')?.hasTraffic).toBe(true);
});

test('a coin without holders outside goes silent after half an hour, and a trade from outside wakes it', () => {
  const { twins, traffic } = setup();
  for (const address of ['coin0', 'coin1']) twins.add(coinOf(address), path, NOW);
  twins.apply([purchase('coin0', NOW)], NOW);
  twins.advance(NOW + 31 * MINUTE);
  expect(traffic(2)).toEqual(['coin0']);
  twins.apply([purchase('coin1', NOW + 32 * MINUTE)], NOW + 32 * MINUTE);
  expect(traffic(2)).toEqual(['coin0', 'coin1']);
});

test('a trade from outside is followed by one of a simulated wallet within ten seconds', () => {
  const { twins, orders } = setup();
  twins.add(coinOf('coin0'), null, NOW);
  twins.apply([purchase('coin0', NOW)], NOW);
  for (let at = NOW; at <= NOW + 10 * SECOND; at += 100) twins.advance(at);
  expect(orders.length).toBeGreaterThan(0);
  // The woken path and the reactions; more wait for their turn.
  expect(new Set(orders.map(({ address }) => address))).toEqual(new Set(['coin0']));
});
