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
 * after the creation, in equal sizes, or with money of the developer (market/token/state/early-buyers.ts). Figures marked
 * `ever` only rise; those marked `since the peak` fall only when the liquidity reaches a new peak.
 */
export type RiskFacts = ReturnType<typeof noFacts>;

const unknown = <Value>(): Fact<Value> | null => null;

/** Returns facts that are all unknown. */
export function noFacts() {
  return {
    maturity: unknown<Maturity>(),
    /** Earlier coins of the same developer that ended as rugs. */
    creatorRugged: unknown<number>(),
    /** Coins of the same developer in the 24 h before this one. */
    creatorLaunches24h: unknown<number>(),
    /** True when the creation names a creator that neither signed nor paid for it. */
    otherCreator: unknown<boolean>(),
    /** Share that the developer bought, ever, and holds now. */
    developerBought: unknown<number>(),
    creatorHolds: unknown<number>(),
    /** Highest share that accounts or data services reported it to hold, ever; null while it is computed from the trades. */
    creatorHeld: unknown<number>(),
    /** Percent of what it bought that the developer sold, ever, and within five minutes of the creation. */
    developerSold: unknown<number>(),
    developerSoldEarly: unknown<number>(),
    /** Number of insiders, the share they bought, ever, and hold now. */
    insiderWallets: unknown<number>(),
    insidersBought: unknown<number>(),
    insidersHold: unknown<number>(),
    /** Percent of what they bought that insiders sold, ever. */
    insidersSold: unknown<number>(),
    /** Share sold, ever, by wallets that had not bought it: it was transferred to them. */
    unboughtSales: unknown<number>(),
    /** LP that is neither burnt nor locked; only for coins in a pool. */
    lpUnlocked: unknown<number>(),
    /** SOL withdrawn, ever, from other pools of the coin than its main one, and whether developer or insiders took a part. */
    lpPulled: unknown<LpPulled>(),
    /** The ten largest wallets together, and the largest, curve and pool accounts left out, since the peak. */
    topTen: unknown<number>(),
    largestWallet: unknown<number>(),
    /** Real quote liquidity in SOL. */
    liquidity: unknown<number>(),
    /** Percent that liquidity and price are below their peaks. */
    drawdown: unknown<number>(),
    priceFall: unknown<number>(),
    /** Three quarters of a peak of at least 2 SOL are gone. */
    drained: unknown<boolean>(),
    /** Ended as a rug (market/token/lifecycle.ts), ever. */
    rugged: unknown<boolean>(),
    /** Buys while no outside wallet has sold, at most 20 (further ones add no points), since the peak. */
    buysWithoutSell: unknown<number>(),
    /** False when the curve did not start with the standard reserves. */
    standardCurve: unknown<boolean>(),
    /** Transfer fee, basis points. */
    transferFeeBps: unknown<number>(),
    /** Address of an older coin of the last 24 h (or a known one) with the same symbol; empty string when checked and none. */
    symbolTwin: unknown<string>(),
    /** Holders other than developer and insiders that bought for at least 0.05 SOL; all holders where a data service counts them. */
    holders: unknown<number>(),
    /** True while a data service marks the coin as suspicious, and its organic score 0–100; null when none has judged it. */
    suspicious: unknown<boolean>(),
    organicScore: unknown<number>(),
    metadataMutable: unknown<boolean>(),
    /** False when the creation named no metadata file. */
    metadataFile: unknown<boolean>(),
    mintAuthorityLive: unknown<boolean>(),
    freezeAuthorityLive: unknown<boolean>(),
    /** Dangerous Token-2022 extensions that are on; empty when checked and none. */
    extensions: unknown<string[]>(),
  };
}
