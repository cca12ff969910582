/** A source as coverage sees it. */
export interface MonitoredSource {
  name: string;
  /** `stream`: reports every creation, so it can miss one. `synthetic`: its tokens exist in no other source. */
  kind: 'stream' | 'poll' | 'synthetic';
  /** Cluster of its tokens. Sources of different clusters can't be compared. */
  cluster: string;
  /** Whether it receives events now. */
  live: boolean;
  /** Known losses since the start, by kind; null where the source cannot know. */
  losses: Losses;
}

/** Kinds of losses. `tradesMissed` falls again when missing trades are fetched afterwards. */
export const lossKinds = ['slotsMissed', 'transactionsLost', 'tradesMissed', 'decodeErrors', 'refused'] as const;
export type LossKind = (typeof lossKinds)[number];
export type Losses = Readonly<Record<LossKind, number | null>>;

/** A token with its first report by each source, within the last hour. Times are epoch ms. */
export interface SightedToken {
  address: string;
  symbol: string | null;
  /** Whether the token is of a launchpad that every stream reports completely. */
  isComparable: boolean;
  /** Creation on chain; null while unknown. */
  createdAt: number | null;
  firstAt: number;
  bySource: Map<string, { receivedAt: number; backfilled: boolean }>;
  /** When to check which streams missed it; null until another source reports it. */
  checkAt: number | null;
  /** Streams that missed it. */
  missedBy: readonly string[];
}
