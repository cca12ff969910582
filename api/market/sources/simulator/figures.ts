/**
 * Figures of the simulated market, measured on public recordings of pump.fun launches and trades in July 2026 (187 launches
 * with a known first buy, 197 launches for the rate, 86 trades), unless noted otherwise.
 */

/** Share of values at or below `value`, 0–1; values between two points grow exponentially. */
export interface QuantilePoint {
  share: number;
  value: number;
}

/** Net SOL of the creator's own first buy. None below `FIRST_BUY_ZERO_SHARE`. */
export const FIRST_BUY_ZERO_SHARE = 0.107;
export const FIRST_BUY_QUANTILES: readonly QuantilePoint[] = [
  { share: FIRST_BUY_ZERO_SHARE, value: 0.001 },
  { share: 0.25, value: 0.009876541 },
  { share: 0.5, value: 0.200000001 },
  { share: 0.75, value: 1.185185184 },
  { share: 0.9, value: 4.938271603 },
  { share: 0.95, value: 5 },
  { share: 0.99, value: 6.913580245 },
  { share: 1, value: 84.938271603 },
];

/** Buys: a quarter small bot trades, the rest log-normal. Together: p25 0.011, median 0.2, p75 0.97, p90 1.98, maximum 5.5 SOL. */
export const BUY_SIZES = {
  botShare: 0.25,
  botSol: { from: 0.002, to: 0.011 },
  medianSol: 0.36,
  sigma: 1.4,
  maxSol: 5.5,
} as const;

/** Share of trades on the curve that are buys: 50 of 86. */
export const BUY_SHARE = 0.58;

export const LAUNCH_SHARES = {
  mayhem: 0.1925,
  cashback: 0.3,
  usdcQuoted: 0.051,
  blankSymbol: 0.0374,
  /** Launches by a new creator: 115 creators for 187 coins. */
  newCreator: 0.615,
  /** Estimate: few launches name no metadata file. */
  blankUri: 0.03,
} as const;

/** Mean size of a burst of launches, geometrically distributed (estimated from a median gap of 0.42 means). */
export const BURST_MEAN = 2;
/** ms between launches of one burst. */
export const BURST_GAP = { from: 50, to: 1_200 } as const;
/** Share of later launches of a burst that clone its first, and of other launches that copy a symbol of the last nine minutes. */
export const CLONE_SHARE = 0.52;
export const COPYCAT_SHARE = 0.1;
export const COPYCAT_WINDOW = 9 * 60_000;

/** Share of launches per life path. Estimated from published graduation and rug shares, not fitted. */
export const PATH_MIX = { dead: 0.45, dump: 0.27, hype: 0.12, fade: 0.152, graduate: 0.008 } as const;

/** Solana's slot time, ms, and one recorded slot with its time (epoch ms) to count from. */
export const SLOT_MS = 400;
export const KNOWN_SLOT = { slot: 430_727_484, at: 1_783_165_099_000 } as const;

/** Virtual USDC (millionths) of a USDC-quoted curve, from one recorded trade: virtual less real reserves. */
export const USDC_CURVE_VIRTUAL_QUOTE = 9_773_313_612;

/** Middle of the simulated rate, dollars for 1 SOL, unless a rate is configured. */
export const SOL_USD_MIDDLE = 150;
export const RATE_EVERY_MS = 30_000;
