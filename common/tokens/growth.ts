/** The span a growth score looks back over. */
export const GROWTH_WINDOW = 5 * 60_000;

/** What happened to a token within the last five minutes, or since its creation if that is shorter. */
export interface GrowthWindow {
  /** Percent by which the price moved; null without a price. */
  priceChange: number | null;
  /** Lamports bought less lamports sold; null when the quote has no SOL price. */
  netInflow: number | null;
  /** Different wallets that bought. */
  buyers: number;
  /** Holders now less holders at the start of the span; null when holders are not counted. */
  holderGain: number | null;
}

/** What each part can give, and where it is full. A part in between counts in proportion. */
export const GROWTH_PARTS = {
  /** +100 % is full; a falling price takes points away. */
  priceChange: { points: 40, full: 100 },
  /** 10 SOL flowing in is full; an outflow takes points away. */
  netInflow: { points: 25, full: 10_000_000_000 },
  /** 20 buying wallets are full. */
  buyers: { points: 20, full: 20 },
  /** 20 holders more are full; fewer holders than before count nothing. */
  holderGain: { points: 15, full: 20 },
} as const satisfies Record<keyof GrowthWindow, { points: number; full: number }>;

/**
 * Growth score 0–100, a whole number: how strongly a token gathers momentum. null without a price.
 *
 * score = 40·clamp(priceChange / 100 %) + 25·clamp(netInflow / 10 SOL) + 20·clamp(buyers / 20) + 15·clamp(holderGain / 20), with the first two
 * clamped to −1…1 and the last two to 0…1, and the sum to 0…100. A part that is not known is left out, and the others are
 * scaled up to 100. The weights are our own judgement: about three SOL from ten wallets within five minutes of a standard
 * launch reach the runner's limit of 30.
 */
export function growthScore(window: GrowthWindow): number | null {
  if (window.priceChange === null) return null;
  const { priceChange, netInflow, buyers, holderGain } = GROWTH_PARTS;
  let known = priceChange.points + buyers.points;
  let sum = part(window.priceChange, priceChange, -1) + part(window.buyers, buyers, 0);
  if (window.netInflow !== null) {
    known += netInflow.points;
    sum += part(window.netInflow, netInflow, -1);
  }
  if (window.holderGain !== null) {
    known += holderGain.points;
    sum += part(window.holderGain, holderGain, 0);
  }
  return Math.round(Math.min(100, Math.max(0, (sum / known) * 100)));
}

function part(value: number, rule: { points: number; full: number }, floor: -1 | 0): number {
  return rule.points * Math.min(1, Math.max(floor, value / rule.full));
}
