import type { BuyPlan, Candidate } from '../conditions.ts';
import type { HistoryPoint, TokenHistory } from '../history.ts';
import type { Configuration } from '../model.ts';

/** When the tokens of these tests are detected, epoch ms. */
export const DETECTED = Date.UTC(2026, 8, 1, 12);

/** Seconds after detection → epoch ms. */
export function later(seconds: number): number {
  return DETECTED + seconds * 1000;
}

/** An ISO 8601 time so many seconds after detection. */
export function isoAfter(seconds: number): string {
  return new Date(later(seconds)).toISOString();
}

/** A point so many seconds after detection; what is not given is not known. */
export function point(seconds: number, values: Partial<Omit<HistoryPoint, 'at'>>): HistoryPoint {
  return { at: later(seconds), price: null, liquidity: null, holders: null, ...values };
}

/** A history of one value, by seconds after detection: `'0:100 10:95.5 20:?'` is 100, then 95.5, then not known. */
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

/** A plan of one section whose type is that of the section; without limits, active and with a wallet. */
export function planOf(configuration: Configuration, overrides: Partial<BuyPlan> = {}): BuyPlan {
  const names = Object.keys(configuration);
  const type = names.includes('timeConfig')
    ? 'time_based'
    : names.includes('priceConfig')
      ? 'price_based'
      : names.includes('liquidityConfig')
        ? 'liquidity_based'
        : 'holder_based';
  return { type, configuration, isActive: true, hasWallet: true, ...overrides };
}

/** A token of which nothing speaks against a purchase. */
export const candidate: Candidate = { risk: 10, listed: null, bought: false };
