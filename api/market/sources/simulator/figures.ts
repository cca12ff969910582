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

/**
 * Share of fates among the launches of an original symbol, by the developer's habit; and how a copied symbol changes the odds.
 * Estimated so that all ordinary launches together come near the public base rates, which the README beside this file lists and
 * `base-rates.test.ts` checks; not fitted to any score:
 * - graduates 0.63 % (655,770 coins of September 2025, arXiv 2602.14860) to 0.92 % (summer 2025);
 * - dumps and dead coins: 76 % of 100,063 coins (SolRugDetector, arXiv 2603.24625), 98.6 % by the widest definition (Solidus).
 * That habit and copies matter is RugCheck's judgement, whose heaviest weight is the creator's history; no study gives rates.
 */
export const FATES_BY_HABIT = {
  rugger: { dead: 0.4, dump: 0.5, hype: 0.03, fade: 0.067, graduate: 0.003 },
  regular: { dead: 0.47, dump: 0.17, hype: 0.1, fade: 0.2505, graduate: 0.0095 },
  builder: { dead: 0.3, dump: 0.04, hype: 0.25, fade: 0.375, graduate: 0.035 },
} as const;
export const COPY_ODDS = { dead: 1.1, dump: 1.5, hype: 0.5, fade: 0.7, graduate: 0.3 } as const;
/** Odds by the developer's first buy, estimates: a small stake below `small` SOL rarely pays a dump, a large one from `large` on does. */
export const STAKE_ODDS = {
  small: { belowSol: 0.2, odds: { dead: 1.2, dump: 0.85, hype: 0.85, fade: 0.85, graduate: 0.85 } },
  large: { fromSol: 1, odds: { dead: 0.7, dump: 1.3, hype: 1.2, fade: 1.2, graduate: 1.2 } },
} as const;

/**
 * Time from a launch to the sale of those who bought in its first slots, log-normal, ms: 85 % within five minutes, and 90 % in
 * one or two sales (Pine Analytics, April 2025).
 */
export const EARLY_EXITS = {
  medianMs: 45_000,
  sigma: 1.8,
  mostMs: 45 * 60_000,
  oneSale: 0.65,
  twoSales: 0.25,
} as const;

/**
 * Outside bots in the slot of the creation: with the bundles below, more than half of all launches have another buyer there
 * (Pine Analytics, April 2025). Number and size are estimates.
 */
export const SNIPERS = {
  share: 0.47,
  mean: 1.5,
  laterShare: 0.15,
  medianSol: 0.35,
  sigma: 0.7,
  ordinary: { most: 12, mostSol: 2 },
  /** In stars and climbers, whose liquidity must not be drained by leaving bots. */
  scheduled: { most: 1, mostSol: 0.5 },
} as const;

/**
 * Wallets of the developer's circle that buy in the first slots. A dumper with a small first buy holds its bag there. Shares are
 * of the launches with such wallets, unless noted; 1.75 % of all launches had snipers that the developer had funded (Pine
 * Analytics: 15,000 launches of a month, nearly all profitable). The other figures are estimates.
 */
export const BUNDLES = {
  /** Share of dumps with such wallets, by the first buy: below or from this many SOL. */
  dumps: { smallSol: 0.3, small: 1, large: 0.4 },
  /** Share of other launches: friends and customers of bundling services. */
  others: { dead: 0.03, hype: 0.08, fade: 0.08, graduate: 0.1 },
  /** Median share of the supply bought, log-normal. */
  supply: { dump: 0.14, others: 0.02, sigma: 0.55, most: 0.45 },
  inCreationSlot: 0.6,
  equalSizes: 0.5,
  fundedByDeveloper: { dump: 0.09, others: 0.05 },
  fundedByOneWallet: 0.25,
  /** Share of bundled dumps whose developer keeps its own first buy. */
  developerStays: 0.15,
} as const;

/**
 * Launches whose named creator did not sign (an argument that needs no signature), and whose fee another wallet paid. In 19
 * recorded creations both were the signer, so these are estimates of a rare thing.
 */
export const FOREIGN_NAMES = { dump: 0.04, others: 0.008 } as const;
export const FOREIGN_FEES = { dump: 0.05, others: 0.01 } as const;

/** Solana's slot time since autumn 2026, ms, and one recorded slot with its time (epoch ms) to count from. */
export const SLOT_MS = 200;
export const KNOWN_SLOT = { slot: 430_727_484, at: 1_783_165_099_000 } as const;

/** Virtual USDC (millionths) of a USDC-quoted curve, from one recorded trade: virtual less real reserves. */
export const USDC_CURVE_VIRTUAL_QUOTE = 9_773_313_612;

/** Middle of the simulated rate, dollars for 1 SOL, unless a rate is configured. */
export const SOL_USD_MIDDLE = 150;
export const RATE_EVERY_MS = 30_000;
