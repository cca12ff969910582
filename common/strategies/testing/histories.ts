import type { BuyPlan, Candidate } from '../conditions.ts';
import type { HistoryPoint, TokenHistory } from '../history.ts';
import type { Configuration } from '../model.ts';

/** Detection time of the tokens in these tests, epoch ms. */
export const DETECTED = Date.UTC(2026, 8, 1, 12);

/** Returns the time `seconds` after detection, epoch ms. */
export function later(seconds: number): number {
  return DETECTED + seconds * 1000;
}

/** Returns the ISO 8601 time `seconds` after detection. */
export function isoAfter(seconds: number): string {
  return new Date(later(seconds)).toISOString();
}

/** Returns a point `seconds` after detection; missing values are unknown. */
export function point(seconds: number, values: Partial<Omit<HistoryPoint, 'at'>>): HistoryPoint {
  return { at: later(seconds), price: null, liquidity: null, holders: null, ...values };
}

/** Returns a history of one value by seconds after detection: `'0:100 10:95.5 20:?'` is 100, then 95.5, then unknown. */
export function pathOf(value: 'price' | 'liquidity' | 'holders', steps: string): TokenHistory {
  const points = steps
    .split(' ')
    .filter((step) => step !== '')
    .map((step) => {
      const [seconds, known] = step.split(':');
      return point(Number(seconds), { [value]: known === '?' ? null : Number(known) });
    });
  return { detectedAt: DETECTED, points };
}

/** Returns an active plan of one section's type, with a wallet and without limits. */
export function planOf(configuration: Configuration, overrides: Partial<BuyPlan> = {}): BuyPlan {
  const names = Object.keys(configuration);
  const type = names.includes('timeConfig')
    ? 'time_based'
    : names.includes('priceConfig')
      ? 'price_based'
      : names.includes('liquidityConfig')
        ? 'liquidity_based'
        : 'holder_based';
  return { type, configuration, buyUnknownRisk: false, isActive: true, hasWallet: true, ...overrides };
}

/** A token that may be bought. */
export const candidate: Candidate = { risk: 10, listed: null, bought: false };
