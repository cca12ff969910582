import { expect, test } from 'vitest';
import { defaultLimits, defaultPresets, noExits } from '../../../common/trading/account.ts';
import { chosenTerms, limitTerms, presetsOf } from './presets.ts';

const limits = { ...defaultLimits, priorityMaxLamports: 300_000, tipLamports: 7_000 };
/** An account from before there were presets. */
const former = {
  limits,
  defaults: { exits: noExits, slippageBps: 750, buyPresets: [1, 2, 3, 4], sellPresets: [10, 20, 30] },
};

test('an account from before presets has its amounts, slippage and fees in them', () => {
  const { buy, sell, chosenBuy, chosenSell } = presetsOf(former);
  const terms = { slippageBps: 750, priorityMaxLamports: 300_000, tipLamports: 7_000, isProtected: false };
  expect(buy).toEqual([1, 2, 3].map((lamports) => ({ ...terms, lamports })));
  expect(sell).toEqual([10, 20, 30].map((sharePercent) => ({ ...terms, sharePercent })));
  expect([chosenBuy, chosenSell]).toEqual([1, 2]);
});

test('presets that were set replace the derived ones', () => {
  const presets = presetsOf({ ...former, presets: { chosenBuy: 0, sell: defaultPresets.sell } });
  expect(presets.buy).toEqual(presetsOf(former).buy);
  expect(presets).toMatchObject({ chosenBuy: 0, sell: defaultPresets.sell.map(() => ({ slippageBps: 500 })) });
  expect(presetsOf({ limits: defaultLimits, defaults: { exits: noExits } })).toEqual(defaultPresets);
});

test('lower limits lower the priority fees and tips of the presets, until they are raised again', () => {
  const high = { ...former, presets: presetsOf(former) };
  const low = { ...high, limits: { ...limits, priorityMaxLamports: 1, tipLamports: 2 } };
  for (const terms of [...presetsOf(low).buy, ...presetsOf(low).sell]) {
    expect(terms).toMatchObject({ priorityMaxLamports: 1, tipLamports: 2 });
  }
  expect(presetsOf({ ...low, limits })).toEqual(presetsOf(former));
});

test('trades by hand have the terms of the chosen preset, others the fees of the limits without protection', () => {
  const [first, second, third] = defaultPresets.buy;
  const buy = { ...third, slippageBps: 900, tipLamports: 5, isProtected: true };
  const account = {
    ...former,
    presets: {
      ...defaultPresets,
      buy: [first, second, buy] satisfies typeof defaultPresets.buy,
      chosenBuy: 2 as const,
    },
  };
  expect(chosenTerms(account, 'buy')).toEqual({ ...buy, priorityMaxLamports: 300_000 });
  expect(limitTerms(account, 'buy')).toMatchObject({
    priorityMaxLamports: 300_000,
    tipLamports: 7_000,
    isProtected: false,
  });
});
