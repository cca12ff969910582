/** Span of a growth score, ms. */
export const GROWTH_WINDOW = 5 * 60_000;
/** Lamports; a buy below 0.05 SOL counts for no growth, since many wallets with next to nothing are cheap. */
export const GROWTH_MIN_BUY = 50_000_000;

/**
 * Trading of a token within the last five minutes, or since its creation if that is shorter. Buys of developer and insiders, and
 * those below 0.05 SOL, are left out; every sale counts.
 */
export interface GrowthWindow {
  /** Price change by these trades in percent; null without a price. */
  priceChange: number | null;
  /** Lamports bought less lamports sold; null when the quote has no SOL price. */
  netInflow: number | null;
  /** Distinct wallets that bought. */
  buyers: number;
}

/** Points of each part, and the value that gives all of them; smaller values count in proportion. */
const GROWTH_PARTS = {
  /** +100 % is full; a falling price takes points away. */
  priceChange: { points: 45, full: 100 },
  /** 15 SOL flowing in is full; an outflow takes points away. */
  netInflow: { points: 30, full: 15_000_000_000 },
  /** 30 buying wallets are full. */
  buyers: { points: 25, full: 30 },
} as const satisfies Record<keyof GrowthWindow, { points: number; full: number }>;

/**
 * Returns the growth score 0–100, a whole number for the momentum of a token; null without a price.
 *
 * score = 45·clamp(priceChange / 100 %) + 30·clamp(netInflow / 15 SOL) + 25·clamp(buyers / 30), with the first two clamped to
 * −1…1 and the last to 0…1, and the sum to 0…100. An unknown inflow is left out, and the others are scaled up to 100. The weights
 * are our own, chosen on simulated coins (`npm run bench:verdict`): about four SOL from twelve wallets within five minutes of a
 * standard launch reach the runner's limit of 30.
 */
export function growthScore(window: GrowthWindow): number | null {
  if (window.priceChange === null) return null;
  const { priceChange, netInflow, buyers } = GROWTH_PARTS;
  let known = priceChange.points + buyers.points;
  let sum = part(window.priceChange, priceChange, -1) + part(window.buyers, buyers, 0);
  if (window.netInflow !== null) {
    known += netInflow.points;
    sum += part(window.netInflow, netInflow, -1);
  }
  return Math.round(Math.min(100, Math.max(0, (sum / known) * 100)));
}

function part(value: number, rule: { points: number; full: number }, floor: -1 | 0): number {
  return rule.points * Math.min(1, Math.max(floor, value / rule.full));
}
