import type { RiskFacts } from '../../../../common/tokens/risk/score.ts';
import type { TokenRecord } from '../../../tokens/record.ts';
import type { SourceName } from '../../sources/observation.ts';

/**
 * Whose word counts where two sources disagree: one line a field, the first is believed before the second. Sources that a
 * line does not name follow in the order of `rest`. A source that does not know (null) never takes a value away.
 *
 * `chain` are the events themselves: live, replayed or simulated. Between two words of one source the newer counts.
 *
 * Price, liquidity, market cap, volume and holders move all the time. The reserves and trades of the chain decide them as
 * long as they are heard, see told.ts; between data services the figures of a later five minutes count before those of an
 * earlier five, and within them this table.
 */
export const precedence = {
  // What the creation says, then the mint account, then those that read either.
  name: ['chain', 'rpc', 'pumpportal', 'jupiter', 'solana-tracker', 'dexscreener', 'solscan'],
  symbol: ['chain', 'rpc', 'pumpportal', 'jupiter', 'solana-tracker', 'dexscreener', 'solscan'],
  uri: ['chain', 'pumpportal', 'solana-tracker', 'solscan'],
  decimals: ['chain', 'rpc', 'pumpportal', 'jupiter', 'solana-tracker', 'solscan', 'dexscreener'],
  totalSupply: ['chain', 'rpc', 'pumpportal', 'jupiter', 'solana-tracker', 'solscan', 'dexscreener'],
  // PumpPortal is told of the creation. Jupiter and DexScreener date a token by its first pool.
  creator: ['chain', 'pumpportal', 'solana-tracker', 'solscan', 'jupiter', 'rugcheck'],
  createdAt: ['chain', 'pumpportal', 'solana-tracker', 'solscan', 'jupiter', 'rugcheck', 'dexscreener'],
  bondingCurve: ['chain', 'pumpportal', 'solana-tracker'],
  pool: ['chain', 'solana-tracker', 'jupiter', 'dexscreener', 'rugcheck'],
  launchpad: ['chain', 'pumpportal', 'jupiter', 'solana-tracker', 'solscan', 'dexscreener', 'rugcheck'],
  quote: ['chain', 'pumpportal', 'solana-tracker', 'dexscreener', 'jupiter'],
  cluster: ['chain', 'pumpportal'],
  initialLiquidityLamports: ['chain', 'pumpportal'],

  // Figures that data services tell; the chain's own are kept apart from them.
  price: ['pumpportal', 'solana-tracker', 'jupiter', 'dexscreener', 'solscan', 'rugcheck'],
  liquidityLamports: ['pumpportal', 'dexscreener', 'solana-tracker'],
  marketCapUsd: ['jupiter', 'solana-tracker', 'dexscreener', 'solscan'],
  volumeUsd: ['solana-tracker', 'jupiter', 'dexscreener', 'solscan'],
  // Their counts differ by some percent; Jupiter's and Solana Tracker's are the freshest.
  holderCount: ['jupiter', 'solana-tracker', 'solscan', 'rugcheck'],
  creatorRugged: ['rugcheck', 'solana-tracker'],

  // Facts for the score: the account itself before the launchpad's rule, and that before what others read.
  mintAuthorityLive: ['rpc', 'chain', 'solana-tracker', 'jupiter', 'rugcheck', 'solscan', 'solanafm'],
  freezeAuthorityLive: ['rpc', 'chain', 'solana-tracker', 'jupiter', 'rugcheck', 'solscan', 'solanafm'],
  extensions: ['rpc', 'chain', 'rugcheck'],
  transferFeeBps: ['rpc', 'chain', 'rugcheck'],
  metadataMutable: ['rpc', 'rugcheck'],
  metadataFile: ['chain', 'solana-tracker', 'rugcheck'],
  lpUnlocked: ['rpc', 'rugcheck', 'solana-tracker', 'chain'],
  topTen: ['rpc', 'solana-tracker', 'jupiter', 'rugcheck'],
  largestWallet: ['rpc', 'solana-tracker', 'jupiter', 'rugcheck'],
  creatorHolds: ['rpc', 'solana-tracker', 'jupiter', 'rugcheck'],
} as const satisfies Partial<Record<Field, readonly Voice[]>>;

type Field = keyof TokenRecord | keyof RiskFacts | 'creatorRugged';
type Voice = SourceName | 'chain';
export type RankedField = keyof typeof precedence;

const rest: readonly Voice[] = [
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

/** Who said something, and the time it is of, epoch ms. */
export interface Provenance {
  source: SourceName;
  at: number;
}

/** Whether the source tells the chain's own events. */
export function isChain(source: SourceName): boolean {
  return source === 'solana' || source === 'replay' || source === 'simulator';
}

function voiceOf(source: SourceName): Voice {
  return isChain(source) ? 'chain' : source;
}

const orders = new Map<RankedField, readonly Voice[]>();
for (const field of Object.keys(precedence) as RankedField[]) {
  const first: readonly Voice[] = precedence[field];
  orders.set(field, [...first, ...rest.filter((voice) => !first.includes(voice))]);
}

/** Place in the field's order, 0 first. */
function place(field: RankedField, source: SourceName): number {
  return orders.get(field)?.indexOf(voiceOf(source)) ?? rest.length;
}

/** Whether `word` is to be believed rather than `known`: a better source, or the same one not earlier. */
export function isBetter(field: RankedField, word: Provenance, known: Provenance): boolean {
  const [mine, theirs] = [place(field, word.source), place(field, known.source)];
  return mine === theirs ? word.at >= known.at : mine < theirs;
}

/** Figures of one such span, ms, count as of the same time. */
const SPAN = 300_000;

/** The same for a figure that moves: a later span counts first. It is an order, so the way words arrive does not matter. */
export function isFresher(field: RankedField, word: Provenance, known: Provenance): boolean {
  const [mine, theirs] = [Math.floor(word.at / SPAN), Math.floor(known.at / SPAN)];
  return mine === theirs ? isBetter(field, word, known) : mine > theirs;
}
