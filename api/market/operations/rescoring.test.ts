import { expect, test, vi } from 'vitest';
import { DAY } from '../../../common/time.ts';
import type { TokenPatch } from '../../../common/tokens/model.ts';
import { RISK_RULES_VERSION } from '../../../common/tokens/risk/score.ts';
import { addressNumber, tokenRecord } from '../../testing/tokens.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import { createMemoryStore, fakeClock, silentLog } from '../testing/market.ts';
import { START } from '../testing/observations.ts';
import { createRescoring } from './rescoring.ts';

/** Returns a store with tokens of earlier rules, all called safe, and their rescoring; the token 1 is in memory. */
function setUp(...stored: Partial<TokenRecord>[]) {
  const store = createMemoryStore();
  for (const [index, own] of stored.entries()) {
    const old = { listedAt: START - DAY, riskScore: 12, riskRulesVersion: RISK_RULES_VERSION - 1, ...own };
    store.records.set(addressNumber(index + 1), tokenRecord(index + 1, old));
  }
  const patches: TokenPatch[] = [];
  const rescoring = createRescoring({
    engine: {
      has: (address) => address === addressNumber(1),
      betweenTicks: async (job) => await job(),
      publishPatches: (added) => void patches.push(...added),
    },
    store,
    clock: fakeClock(),
    random: () => 0,
    log: silentLog,
  });
  return { store, rescoring, patches, stored: (number: number) => store.records.get(addressNumber(number)) };
}

test('leaves tokens in memory to their own refresh, and one with a newer score as it is', async () => {
  const { rescoring, store, stored } = setUp({ rugged: true }, { rugged: true });
  const newer = { riskScore: 55, riskRulesVersion: RISK_RULES_VERSION };
  const page = await store.outdatedScores();
  store.records.set(addressNumber(3), tokenRecord(3, newer));
  store.outdatedScores = () => Promise.resolve([...page, tokenRecord(3, { riskScore: 12, riskRulesVersion: null })]);
  rescoring.start();
  await vi.waitFor(() => expect(stored(2)).toMatchObject({ riskScore: 90, riskRulesVersion: RISK_RULES_VERSION }));
  await rescoring.stop();
  expect(stored(1)).toMatchObject({ riskScore: 12, riskRulesVersion: RISK_RULES_VERSION - 1 });
  expect(stored(3)).toMatchObject({ ...newer, version: 1 });
});

test('marks a drained token, and publishes its new score', async () => {
  const drained = { peakLiquidityLamports: 40e9, liquidityLamports: 1e9, reserves: null, drained: false };
  const { rescoring, patches, stored } = setUp({}, drained);
  const { version } = stored(2) ?? { version: 0 };
  rescoring.start();
  await vi.waitFor(() => expect(patches).toHaveLength(1));
  await rescoring.stop();
  expect(stored(2)).toMatchObject({ drained: true, version: version + 1 });
  expect(patches).toMatchObject([
    { address: addressNumber(2), version: version + 1, scamProbability: stored(2)?.riskScore, riskReason: 'drained' },
  ]);
});

test('a document that cannot be scored becomes unknown and does not stop the others', async () => {
  const { rescoring, store, stored } = setUp({}, {}, { rugged: true });
  const unreadable = tokenRecord(2, { riskScore: 12, riskRulesVersion: null });
  Object.defineProperty(unreadable.facts, 'rugged', {
    enumerable: true,
    value: {
      get value() {
        throw new Error('unreadable');
      },
    },
  });
  const read = store.outdatedScores;
  store.outdatedScores = async () => (await read()).map((one) => (one._id === unreadable._id ? unreadable : one));
  rescoring.start();
  await vi.waitFor(() => expect(stored(3)).toMatchObject({ riskScore: 90 }));
  await rescoring.stop();
  expect(stored(2)).toMatchObject({ riskScore: null, riskReason: 'too-little-known' });
});
