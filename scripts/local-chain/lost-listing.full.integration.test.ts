import { isDeepStrictEqual } from 'node:util';
import { expect, test, vi } from 'vitest';
import { tokenModels } from '../../api/tokens/model.ts';
import { SOL, WAIT } from './testing/client.ts';
import { createListedScene, solventReserves } from './testing/listed-market.ts';

/** Longer than the launchpad waits for a response (3 s), so the listing lands after it gave up. */
const LATE_MS = 4_000;
/** Listed at once: any one of them may not be traded any more. */
const COINS = 6;

const { chain, connection, node, running, createUser } = await createListedScene();

/** Returns coins on the curve that were traded within the last seconds. */
const tradedCoins = () =>
  vi.waitFor(async () => {
    const traded = { stage: 'curve', quote: 'SOL', cluster: null, lastTradeAt: { $gt: Date.now() - 5_000 } } as const;
    const found = await tokenModels(connection).tokens.find(traded).sort({ buys: -1 }).limit(COINS).lean();
    expect(found).toHaveLength(COINS);
    return found.map(({ _id }) => _id);
  }, WAIT);

test('a coin whose listing landed without a response follows the chain from its next order on', async () => {
  const user = await createUser();
  const addresses = await tradedCoins();
  await chain.inject({ kind: 'delay', ms: LATE_MS, method: 'sendTransaction', times: COINS });
  const lost = await Promise.all(addresses.map((one) => running().simulated.ensureListed(one)));
  expect(lost).toEqual(addresses.map(() => ({ ok: false, reason: expect.objectContaining({ code: 'node-away' }) })));
  // The counterpart in the simulation is traded on, and is at another price by now.
  const address = await vi.waitFor(async () => {
    const onChain = await Promise.all(addresses.map((one) => solventReserves(node, one)));
    const moved = addresses.findIndex(
      (one, index) => !isDeepStrictEqual(running().market.liveCoin(one)?.reserves, onChain[index]),
    );
    return addresses[moved] ?? expect.fail('none moved');
  }, WAIT);

  const fill = await user.trade(address, { lamports: SOL });
  await vi.waitFor(async () => {
    const now = await solventReserves(node, address);
    expect(running().market.liveCoin(address)).toMatchObject({ reserves: now, cluster: 'local' });
  }, WAIT);
  const own = await vi.waitFor(async () => {
    const found = await tokenModels(connection).trades.findOne({ address, wallet: user.wallet }).lean();
    return found ?? expect.fail('not stored');
  }, WAIT);
  expect(own).toMatchObject({ side: 'buy', amount: Number(fill.tokens) });
});
