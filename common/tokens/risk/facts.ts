/** A known fact about a token: its value, since when (epoch ms), and the account, transaction or rule it comes from. */
export interface Fact<Value> {
  value: Value;
  at: number;
  source: string;
}

/** Input of the risk score. null: unknown, which is neither good nor bad. Shares are percent 0–100 of the supply. */
export interface RiskFacts {
  /** Earlier coins of the same creator that ended as rugs. */
  creatorRugged: Fact<number> | null;
  /** Coins of the same creator in the 24 h before this one. */
  creatorLaunches24h: Fact<number> | null;
  /** LP that is neither burnt nor locked; only for coins in a pool. */
  lpUnlocked: Fact<number> | null;
  /** The ten largest wallets together, curve and pool accounts left out. */
  topTen: Fact<number> | null;
  largestWallet: Fact<number> | null;
  creatorHolds: Fact<number> | null;
  /** Wallets other than the creator's that bought in the slot of the creation. */
  sameSlotBuyers: Fact<number> | null;
  /** Share of its first buy that the creator sold within 60 s. */
  creatorSoldEarly: Fact<number> | null;
  /** Real quote liquidity in SOL. */
  liquidity: Fact<number> | null;
  /** Buys while only the creator has sold, at most 20 (further ones add no points); 0 after another wallet sold. */
  buysWithoutSell: Fact<number> | null;
  /** False when the curve did not start with the standard reserves. */
  standardCurve: Fact<boolean> | null;
  /** Transfer fee, basis points. */
  transferFeeBps: Fact<number> | null;
  /** Address of an older coin of the last 24 h (or a known one) with the same symbol; empty string when checked and none. */
  symbolTwin: Fact<string> | null;
  holders: Fact<number> | null;
  metadataMutable: Fact<boolean> | null;
  /** False when the creation named no metadata file. */
  metadataFile: Fact<boolean> | null;
  mintAuthorityLive: Fact<boolean> | null;
  freezeAuthorityLive: Fact<boolean> | null;
  /** Dangerous Token-2022 extensions that are on; empty when checked and none. */
  extensions: Fact<string[]> | null;
}
