import type { Source } from '../market/sources/source.ts';

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
  /** Versions of its unreadable transactions, lowest first. */
  unreadableVersions: readonly number[];
}

/** Kinds of losses. `tradesMissed` falls again when missing trades are fetched afterwards. */
export const lossKinds = [
  'slotsMissed',
  'transactionsLost',
  'transactionsUnreadable',
  'tradesMissed',
  'decodeErrors',
  'refused',
] as const;
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

/** Returns the market's sources as coverage sees them. `lossesOf` returns what the market itself counted for a source. */
export function monitoredSources(
  sources: readonly Source[],
  lossesOf: (source: string) => Pick<Losses, 'tradesMissed' | 'refused'>,
): MonitoredSource[] {
  return sources.map((source) => {
    const detection = source.detection?.() ?? null;
    return {
      name: source.name,
      kind: kindOf(source),
      // Data services cover mainnet only.
      cluster: detection?.cluster ?? 'mainnet',
      live: source.status().state === 'live',
      losses: {
        slotsMissed: detection?.slotsMissed ?? null,
        transactionsLost: detection?.transactionsLost ?? null,
        transactionsUnreadable: detection?.transactionsUnreadable ?? null,
        decodeErrors: detection?.decodeErrors ?? source.figures?.().malformed ?? 0,
        ...lossesOf(source.name),
      },
      unreadableVersions: detection?.unreadableVersions ?? [],
    };
  });
}

function kindOf({ name, poller }: Source): MonitoredSource['kind'] {
  if (name === 'simulator' || name.startsWith('replay:')) return 'synthetic';
  return poller === undefined ? 'stream' : 'poll';
}
