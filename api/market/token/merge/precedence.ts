import type { RiskFacts } from '../../../../common/tokens/risk/score.ts';
import type { SourceName, TokenRecord } from '../../../tokens/record.ts';

/**
 * Precedence of the sources per field, highest first. Sources missing from a line follow in the order of `rest`. An unknown
 * value (null) never replaces a known one.
 *
 * `chain` stands for chain events: live, replayed or simulated. Between two reports of one source the newer one wins.
 *
 * Price, liquidity, market cap, volume and holders change all the time. Chain events decide them while the stream is live,
 * see reported-figures.ts; between data services the report of a later five-minute span wins, and within a span this table.
 */
const precedence = {
  // The creation event, then the mint account, then services that read either.
  name: ['chain', 'rpc', 'pumpportal', 'jupiter', 'solana-tracker', 'dexscreener', 'solscan'],
  symbol: ['chain', 'rpc', 'pumpportal', 'jupiter', 'solana-tracker', 'dexscreener', 'solscan'],
  uri: ['chain', 'pumpportal', 'solana-tracker', 'solscan'],
  decimals: ['chain', 'rpc', 'pumpportal', 'jupiter', 'solana-tracker', 'solscan', 'dexscreener'],
  totalSupply: ['chain', 'rpc', 'pumpportal', 'jupiter', 'solana-tracker', 'solscan', 'dexscreener'],
  // PumpPortal reports the creation itself. Jupiter and DexScreener date a token by its first pool.
  creator: ['chain', 'pumpportal', 'solana-tracker', 'solscan', 'jupiter', 'rugcheck'],
  createdAt: ['chain', 'pumpportal', 'solana-tracker', 'solscan', 'jupiter', 'rugcheck', 'dexscreener'],
  bondingCurve: ['chain', 'pumpportal', 'solana-tracker'],
  pool: ['chain', 'solana-tracker', 'jupiter', 'dexscreener', 'rugcheck'],
  launchpad: ['chain', 'pumpportal', 'jupiter', 'solana-tracker', 'solscan', 'dexscreener', 'rugcheck'],
  quote: ['chain', 'pumpportal', 'solana-tracker', 'dexscreener', 'jupiter'],
  cluster: ['chain', 'pumpportal'],
  initialLiquidityLamports: ['chain', 'pumpportal'],

  // Figures reported by data services; the chain's own are stored apart.
  price: ['pumpportal', 'solana-tracker', 'jupiter', 'dexscreener', 'solscan', 'rugcheck'],
  liquidityLamports: ['pumpportal', 'dexscreener', 'solana-tracker'],
  marketCapUsd: ['jupiter', 'solana-tracker', 'dexscreener', 'solscan'],
  volumeUsd: ['solana-tracker', 'jupiter', 'dexscreener', 'solscan'],
  // Counts differ by some percent; those of Jupiter and Solana Tracker are the most recent.
  holderCount: ['jupiter', 'solana-tracker', 'solscan', 'rugcheck'],
  creatorRugged: ['rugcheck', 'solana-tracker'],

  // Facts of the score: the account, then the launchpad's rule, then services that read the account.
  mintAuthorityLive: ['rpc', 'chain', 'solana-tracker', 'jupiter', 'rugcheck', 'solscan', 'solanafm'],
  freezeAuthorityLive: ['rpc', 'chain', 'solana-tracker', 'jupiter', 'rugcheck', 'solscan', 'solanafm'],
  extensions: ['rpc', 'chain', 'rugcheck'],
  transferFeeBps: ['rpc', 'chain', 'rugcheck'],
  metadataMutable: ['rpc', 'rugcheck'],
  metadataFile: ['chain', 'solana-tracker', 'rugcheck'],
  lpUnlocked: ['rpc', 'rugcheck', 'solana-tracker', 'chain'],
  topTen: ['rpc', 'solana-tracker', 'jupiter', 'rugcheck'],
  largestWallet: ['rpc', 'solana-tracker', 'jupiter', 'rugcheck'],
  creatorHeld: ['rpc', 'solana-tracker', 'jupiter', 'rugcheck'],
  creatorHolds: ['rpc', 'solana-tracker', 'jupiter', 'rugcheck'],
} as const satisfies Partial<Record<Field, readonly SourceRank[]>>;

type Field = keyof TokenRecord | keyof RiskFacts | 'creatorRugged';
type SourceRank = SourceName | 'chain';
export type RankedField = keyof typeof precedence;

const rest: readonly SourceRank[] = [
  'chain',
  'rpc',
  'pumpportal',
  'jupiter',
  'solana-tracker',
  'solscan',
  'dexscreener',
  'rugcheck',
  'solanafm',
  'token-list',
  'env',
];

/** Source of a value and the time it describes, epoch ms. */
export interface Provenance {
  source: SourceName;
  at: number;
}

const chainSources: ReadonlySet<SourceName> = new Set(['solana', 'replay', 'simulator', 'launchlab', 'meteora-dbc']);

/** Returns whether the source delivers chain events. */
export function isChain(source: SourceName): boolean {
  return chainSources.has(source);
}

function rankOf(source: SourceName): SourceRank {
  return isChain(source) ? 'chain' : source;
}

const orders = new Map<RankedField, readonly SourceRank[]>();
for (const field of Object.keys(precedence) as RankedField[]) {
  const first: readonly SourceRank[] = precedence[field];
  orders.set(field, [...first, ...rest.filter((rank) => !first.includes(rank))]);
}

/** Returns the place in the field's order, 0 first. */
function place(field: RankedField, source: SourceName): number {
  return orders.get(field)?.indexOf(rankOf(source)) ?? rest.length;
}

/** Returns whether `candidate` replaces `known`: a source of higher precedence, or the same one and not older. */
export function isBetter(field: RankedField, candidate: Provenance, known: Provenance): boolean {
  const [candidatePlace, knownPlace] = [place(field, candidate.source), place(field, known.source)];
  return candidatePlace === knownPlace ? candidate.at >= known.at : candidatePlace < knownPlace;
}

/** Reports within one such span, ms, count as simultaneous. */
const SPAN = 300_000;

/** Returns the same for a figure that changes: a later span wins first. It is a total order, so the order of arrival does not matter. */
export function isFresher(field: RankedField, candidate: Provenance, known: Provenance): boolean {
  const [candidateSpan, knownSpan] = [Math.floor(candidate.at / SPAN), Math.floor(known.at / SPAN)];
  return candidateSpan === knownSpan ? isBetter(field, candidate, known) : candidateSpan > knownSpan;
}
