import { expect, test } from 'vitest';
import { type ReasonCode, reason, reasonCodes, reasonText } from './reasons.ts';

const AT = Date.UTC(2026, 10, 23, 14, 32);

/** Figures of every reason that has some, beside a second set in which each of them differs. */
const figures: Partial<Record<ReasonCode, Record<string, readonly [number, number]>>> = {
  'per-trade': { needsLamports: [2e9, 3e9], limitLamports: [1e9, 5e8] },
  'priority-limit': { needsLamports: [2e6, 3e6], limitLamports: [1e6, 5e5] },
  'tip-limit': { needsLamports: [2e6, 3e6], limitLamports: [1e6, 5e5] },
  'initial-short': { paidLamports: [2e9, 3e9], returnsLamports: [1e9, 5e8] },
  'day-budget': { needsLamports: [2e9, 3e9], leftLamports: [1e9, 5e8] },
  'open-positions': { open: [10, 11], limit: [9, 8] },
  'day-loss': { limitLamports: [1e9, 5e8], untilAt: [AT, AT + 60_000] },
  'stop-loss-guard': { untilAt: [AT, AT + 60_000], stopLosses: [5, 6], minutes: [30, 31] },
  cooldown: { seconds: [12, 13] },
  balance: { hasLamports: [1e9, 5e8], needsLamports: [2e9, 3e9], keptBackLamports: [1e7, 0] },
  'unknown-orders': { count: [3, 4] },
  removed: { lastAt: [AT, AT + 60_000], lastLamports: [1e9, 5e8] },
  stale: { sinceAt: [AT, AT + 60_000] },
  'too-many-listed': { limit: [500, 600] },
  impact: { impactBps: [810, 820], slippageBps: [500, 400] },
  'not-followed': { detectedAt: [AT, AT + 60_000] },
  'low-liquidity': { liquidityLamports: [1e9, 2e9], limitLamports: [5e9, 6e9] },
  'too-late': { ageSeconds: [73.2, 80], limitSeconds: [60, 30] },
  'high-risk': { riskPercent: [62, 63], limitPercent: [30, 31] },
  slippage: { slippageBps: [500, 400] },
  'route-overspends': { spentLamports: [2e9, 3e9], limitLamports: [1e9, 5e8] },
  'route-shortfall': { shortBps: [20, 30] },
  'tries-used': { tries: [3, 2], feesLamports: [315_000, 210_000] },
};
const numbersOf = (code: ReasonCode) =>
  Object.fromEntries(Object.entries(figures[code] ?? {}).map(([name, [value]]) => [name, value]));

test.each(reasonCodes)('%s has a sentence without gaps [T16]', (code) => {
  const text = reasonText(reason(code, numbersOf(code)));
  expect(text).toMatch(/^[A-Z0-9].*\.$/);
  expect(text).not.toMatch(/undefined|NaN|null|Invalid|\{|\}/);
});

const withFigures = reasonCodes.filter((code) => figures[code]);
test.each(withFigures)('%s never shows a figure that is unknown as 0 [T16]', (code) => {
  for (const unknown of Object.keys(numbersOf(code))) {
    const rest = Object.entries(numbersOf(code)).filter(([name]) => name !== unknown);
    for (const numbers of [{}, Object.fromEntries(rest)]) {
      const text = reasonText(reason(code, numbers));
      expect(text).toMatch(/^[A-Z].*\.$/);
      expect(text).not.toMatch(/\d|undefined|NaN|null|Invalid/);
    }
  }
});

test('a refusal for money names the reserve for a sale, and does not count it as a cost', () => {
  const missing = { hasLamports: 0, needsLamports: 53_888_680 };
  const costs = 'Your wallet has 0 SOL; this needs 0.05388868 SOL with all costs.';
  expect(reasonText(reason('balance', { ...missing, keptBackLamports: 1e7 }))).toBe(
    `${costs} Another 0.01 SOL are kept back to pay for a sale.`,
  );
  expect(reasonText(reason('balance', { ...missing, keptBackLamports: 0 }))).toBe(costs);
});

test('a liquidity has four digits, and never those of the limit that it is below', () => {
  const text = (liquidityLamports: number) =>
    reasonText(reason('low-liquidity', { liquidityLamports, limitLamports: 5e9 }));
  expect(text(3_872_846_775)).toBe('The liquidity of 3.872 SOL is below the minimum of 5 SOL.');
  expect(text(4_999_999_999)).toBe('The liquidity of 4.999 SOL is below the minimum of 5 SOL.');
  expect(text(12_345)).toBe('The liquidity of 0.00001234 SOL is below the minimum of 5 SOL.');
  expect(text(7)).toBe('The liquidity of 0.000000007 SOL is below the minimum of 5 SOL.');
});

test.each(
  reasonCodes.flatMap((code) =>
    Object.entries(figures[code] ?? {}).map(([name, [, other]]) => ({ code, name, other })),
  ),
)('the sentence of $code shows $name [T16]', ({ code, name, other }) => {
  const numbers = numbersOf(code);
  expect(reasonText(reason(code, { ...numbers, [name]: other }))).not.toBe(reasonText(reason(code, numbers)));
});

test('every figure that a sentence uses is among the figures of its reason [T16]', () => {
  const used = reasonCodes.map((code) => {
    const names = new Set<string>();
    const numbers = new Proxy<Record<string, number>>(numbersOf(code), {
      get(known, name) {
        if (typeof name === 'string') names.add(name);
        return typeof name === 'string' ? known[name] : undefined;
      },
    });
    reasonText({ code, numbers });
    return [code, [...names].sort()];
  });
  expect(used).toEqual(reasonCodes.map((code) => [code, Object.keys(figures[code] ?? {}).sort()]));
});

test('an impact just beyond the limit never reads like the limit', () => {
  expect(reasonText(reason('impact', { impactBps: 13, slippageBps: 10 }))).toBe(
    'This would move the price by 0.13 %; your limit for price and slippage is 0.1 %.',
  );
});
