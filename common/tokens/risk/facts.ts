/** A known fact about a token: its value, since when (epoch ms), and the account, transaction or rule it comes from. */
export interface Fact<Value> {
  value: Value;
  at: number;
  source: string;
}

/**
 * Whether time alone still speaks against a good score: `early` before two minutes of age, `insider-sale` within two minutes
 * of an insider's sale, `mature` otherwise.
 */
export type Maturity = 'early' | 'insider-sale' | 'mature';

/** Liquidity withdrawn from pools whose LP is not burnt. */
export interface LpPulled {
  sol: number;
  byInsider: boolean;
}

/**
 * Input of the risk score. null: unknown, which is neither good nor bad. Shares are percent 0–100, of the supply unless noted.
 *
 * The developer is the named creator, the signer and the fee payer of the creation. Insiders are the wallets that bought right
 * after the creation, in equal sizes, or with money of the developer (market/token/state/insiders.ts). Figures marked
 * `ever` only rise; those marked `since the peak` fall only when the liquidity reaches a new peak.
 */
export interface RiskFacts {
  maturity: Fact<Maturity> | null;
  /** Earlier coins of the same developer that ended as rugs. */
  creatorRugged: Fact<number> | null;
  /** Coins of the same developer in the 24 h before this one. */
  creatorLaunches24h: Fact<number> | null;
  /** True when the creation names a creator that neither signed nor paid for it. */
  otherCreator: Fact<boolean> | null;
  /** Share that the developer bought, ever, and holds now. */
  developerBought: Fact<number> | null;
  creatorHolds: Fact<number> | null;
  /** Highest share that accounts or data services reported it to hold, ever; null while it is computed from the trades. */
  creatorHeld: Fact<number> | null;
  /** Percent of what it bought that the developer sold, ever, and within five minutes of the creation. */
  developerSold: Fact<number> | null;
  developerSoldEarly: Fact<number> | null;
  /** Number of insiders, the share they bought, ever, and hold now. */
  insiderWallets: Fact<number> | null;
  insidersBought: Fact<number> | null;
  insidersHold: Fact<number> | null;
  /** Percent of what they bought that insiders sold, ever. */
  insidersSold: Fact<number> | null;
  /** Share sold, ever, by wallets that had not bought it: it was transferred to them. */
  unboughtSales: Fact<number> | null;
  /** LP that is neither burnt nor locked; only for coins in a pool. */
  lpUnlocked: Fact<number> | null;
  /** SOL withdrawn, ever, from other pools of the coin than its main one, and whether developer or insiders took a part. */
  lpPulled: Fact<LpPulled> | null;
  /** The ten largest wallets together, and the largest, curve and pool accounts left out, since the peak. */
  topTen: Fact<number> | null;
  largestWallet: Fact<number> | null;
  /** Real quote liquidity in SOL. */
  liquidity: Fact<number> | null;
  /** Percent that liquidity and price are below their peaks. */
  drawdown: Fact<number> | null;
  priceFall: Fact<number> | null;
  /** Three quarters of a peak of at least 2 SOL are gone. */
  drained: Fact<boolean> | null;
  /** Ended as a rug (market/token/lifecycle.ts), ever. */
  rugged: Fact<boolean> | null;
  /** Buys while no outside wallet has sold, at most 20 (further ones add no points), since the peak. */
  buysWithoutSell: Fact<number> | null;
  /** False when the curve did not start with the standard reserves. */
  standardCurve: Fact<boolean> | null;
  /** Transfer fee, basis points. */
  transferFeeBps: Fact<number> | null;
  /** Address of an older coin of the last 24 h (or a known one) with the same symbol; empty string when checked and none. */
  symbolTwin: Fact<string> | null;
  /** Holders other than developer and insiders that bought for at least 0.05 SOL; all holders where a data service counts them. */
  holders: Fact<number> | null;
  /** True while a data service marks the coin as suspicious, and its organic score 0–100; null when none has judged it. */
  suspicious: Fact<boolean> | null;
  organicScore: Fact<number> | null;
  metadataMutable: Fact<boolean> | null;
  /** False when the creation named no metadata file. */
  metadataFile: Fact<boolean> | null;
  mintAuthorityLive: Fact<boolean> | null;
  freezeAuthorityLive: Fact<boolean> | null;
  /** Dangerous Token-2022 extensions that are on; empty when checked and none. */
  extensions: Fact<string[]> | null;
}

/** Returns facts that are all unknown. */
export function noFacts(): RiskFacts {
  return {
    maturity: null,
    creatorRugged: null,
    creatorLaunches24h: null,
    otherCreator: null,
    developerBought: null,
    creatorHolds: null,
    creatorHeld: null,
    developerSold: null,
    developerSoldEarly: null,
    insiderWallets: null,
    insidersBought: null,
    insidersHold: null,
    insidersSold: null,
    unboughtSales: null,
    lpUnlocked: null,
    lpPulled: null,
    topTen: null,
    largestWallet: null,
    liquidity: null,
    drawdown: null,
    priceFall: null,
    drained: null,
    rugged: null,
    buysWithoutSell: null,
    standardCurve: null,
    transferFeeBps: null,
    symbolTwin: null,
    holders: null,
    suspicious: null,
    organicScore: null,
    metadataMutable: null,
    metadataFile: null,
    mintAuthorityLive: null,
    freezeAuthorityLive: null,
    extensions: null,
  };
}
