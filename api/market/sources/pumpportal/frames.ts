import { z } from 'zod';
import { STANDARD_CURVE } from '../../../../common/tokens/curve.ts';
import { LAMPORTS_PER_SOL, solToLamports } from '../../../../common/tokens/units.ts';
import { createGrowingCache } from '../../../platform/growing-cache.ts';
import type { ListedObservation, Listing, Reserves, TradeObservation } from '../observation.ts';
import { launchpadName } from '../polled/launchpad-names.ts';
import { mintSchema as address } from '../polled/payload-values.ts';
import { quoteMints } from '../solana/programs.ts';

/** Content of one frame. */
export type PortalFrame =
  /** A new coin, a migration or a trade. `launched`: address of a new coin, to subscribe to its trades. */
  | { kind: 'event'; observations: (ListedObservation | TradeObservation)[]; launched: string | null }
  /** Acknowledgement of a subscription. */
  | { kind: 'accepted' }
  /** Any other text of the service. */
  | { kind: 'notice'; text: string }
  /** Duplicate or unusable, see `counts`. */
  | { kind: 'dropped' }
  | { kind: 'malformed' };

interface PortalCounts {
  launches: number;
  trades: number;
  migrations: number;
  duplicate: number;
  /** Frames of coins not quoted in SOL, which name the quote mint as the coin. */
  'quote-mint': number;
  /** Trades without usable reserves. */
  unusable: number;
  malformed: number;
}

export interface PortalFrames {
  /** Decodes one frame. Frames have no time, so `receivedAt` counts as the event's time. Never throws. */
  read(raw: string, receivedAt: number): PortalFrame;
  counts(): Readonly<PortalCounts>;
}

/** Recent signatures kept for deduplication: half a day at the usual rate of launches. */
const recentLimit = 20_000;
/** Supply of every coin of a standard launchpad, in whole tokens. */
const SUPPLY_TOKENS = STANDARD_CURVE.totalSupply / 10 ** STANDARD_CURVE.decimals;
const TOKEN = 10 ** STANDARD_CURVE.decimals;
/** Virtual tokens of the curve that are never sold on it. */
const UNSOLD_TOKEN = STANDARD_CURVE.virtualToken - STANDARD_CURVE.realToken;

/** Launchpads whose coins all have the same supply and decimals; the rules of others are unknown. */
const STANDARD: ReadonlySet<string | null> = new Set(['pump.fun', 'letsbonk.fun']);

const signature = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
const amount = z.number().nonnegative();
const messageSchema = z.object({ message: z.string().max(2_000) });
const createSchema = z.object({
  txType: z.literal('create'),
  signature,
  mint: address,
  traderPublicKey: address,
  name: z.string().max(1_024).optional(),
  symbol: z.string().max(1_024).optional(),
  uri: z.string().max(2_048).optional(),
  solAmount: amount.optional(),
  bondingCurveKey: address.optional(),
  vTokensInBondingCurve: amount.optional(),
  vSolInBondingCurve: amount.optional(),
  solInPool: amount.optional(),
  marketCapSol: amount.optional(),
  pool: z.string().max(64).optional(),
});
const tradeSchema = z.object({
  txType: z.enum(['buy', 'sell']),
  signature,
  mint: address,
  traderPublicKey: address,
  tokenAmount: amount,
  solAmount: amount,
  vTokensInBondingCurve: amount.optional(),
  vSolInBondingCurve: amount.optional(),
  pool: z.string().max(64).optional(),
});
const migrateSchema = z.object({ txType: z.literal('migrate'), signature, mint: address });
const frameSchema = z.union([createSchema, tradeSchema, migrateSchema, messageSchema]);

type Create = z.infer<typeof createSchema>;
type Trade = z.infer<typeof tradeSchema>;

/** Decodes PumpPortal's frames into observations; each event is returned once. */
export function createPortalFrames(): PortalFrames {
  const recent = createGrowingCache<true>(recentLimit);
  const counts: PortalCounts = {
    launches: 0,
    trades: 0,
    migrations: 0,
    duplicate: 0,
    'quote-mint': 0,
    unusable: 0,
    malformed: 0,
  };

  function drop(reason: keyof PortalCounts): PortalFrame {
    counts[reason] += 1;
    return reason === 'malformed' ? { kind: 'malformed' } : { kind: 'dropped' };
  }

  function read(raw: string, receivedAt: number): PortalFrame {
    const parsed = frameSchema.safeParse(parseJson(raw));
    if (!parsed.success) return drop('malformed');
    const frame = parsed.data;
    if ('message' in frame) return messageFrame(frame.message);
    if (quoteMints.has(frame.mint)) return drop('quote-mint');
    // The signature is not enough: a transaction may trade several times, each with other reserves afterwards.
    const state = 'vSolInBondingCurve' in frame ? `:${frame.vSolInBondingCurve}:${frame.vTokensInBondingCurve}` : '';
    const key = `${frame.signature}:${frame.txType}${state}`;
    if (recent.has(key)) return drop('duplicate');
    recent.set(key, true);
    const base = { source: 'pumpportal', address: frame.mint, at: receivedAt, receivedAt } as const;
    switch (frame.txType) {
      case 'create':
        counts.launches += 1;
        return event([{ ...base, kind: 'listed', mayBegin: true, listing: listingOf(frame, receivedAt) }], frame.mint);
      case 'migrate':
        counts.migrations += 1;
        // Not `migrated`: the frame has neither the pool nor the event's index.
        return event([{ ...base, kind: 'listed', mayBegin: false, listing: { stage: 'pool' } }], null);
      case 'buy':
      case 'sell': {
        const trade = tradeOf(frame, base);
        if (trade === null) return drop('unusable');
        counts.trades += 1;
        return event([trade], null);
      }
    }
  }

  return { read, counts: () => ({ ...counts }) };
}

function event(observations: (ListedObservation | TradeObservation)[], launched: string | null): PortalFrame {
  return { kind: 'event', observations, launched };
}

function messageFrame(text: string): PortalFrame {
  // "Successfully subscribed to token creation events." and "Subscribed to 'migration' events."
  return /\bsubscribed to\b/i.test(text) ? { kind: 'accepted' } : { kind: 'notice', text };
}

function listingOf(frame: Create, receivedAt: number): Listing {
  const { pool = 'pump', vSolInBondingCurve, vTokensInBondingCurve, solAmount, uri } = frame;
  const launchpad = launchpadName(pool);
  const isStandard = STANDARD.has(launchpad);
  return {
    decimals: isStandard ? STANDARD_CURVE.decimals : null,
    totalSupply: isStandard ? String(STANDARD_CURVE.totalSupply) : null,
    name: frame.name ?? null,
    symbol: frame.symbol ?? null,
    uri: uri ?? null,
    creator: frame.traderPublicKey,
    createdAt: receivedAt,
    bondingCurve: frame.bondingCurveKey ?? null,
    launchpad,
    quote: 'SOL',
    stage: 'curve',
    price: priceOf(frame, isStandard),
    liquidityLamports: liquidity(vSolInBondingCurve, vTokensInBondingCurve) ?? lamports(frame.solInPool),
    initialLiquidityLamports: lamports(solAmount),
    facts: { metadataFile: uri === undefined ? null : uri.trim() !== '' },
  };
}

function priceOf(frame: Create, isStandard: boolean): NonNullable<Listing['price']> | null {
  const { vSolInBondingCurve: sol, vTokensInBondingCurve: tokens, marketCapSol } = frame;
  if (sol !== undefined && tokens !== undefined && tokens > 0) return { amount: sol / tokens, in: 'SOL' };
  if (marketCapSol === undefined || !isStandard) return null;
  return { amount: marketCapSol / SUPPLY_TOKENS, in: 'SOL' };
}

function tradeOf(
  frame: Trade,
  base: Pick<TradeObservation, 'source' | 'address' | 'at' | 'receivedAt'>,
): TradeObservation | null {
  const { pool = 'pump', vSolInBondingCurve, vTokensInBondingCurve } = frame;
  const reserves = reservesOf(vSolInBondingCurve, vTokensInBondingCurve);
  const quoteAmount = lamports(frame.solAmount);
  const tokenAmount = whole(frame.tokenAmount * TOKEN);
  if (pool !== 'pump' || reserves === null || quoteAmount === null || tokenAmount === null) return null;
  return {
    ...base,
    kind: 'trade',
    // The frame has no event index; the reserves afterwards replace it.
    chain: { signature: frame.signature, index: reserves.virtualToken, slot: null },
    side: frame.txType,
    wallet: frame.traderPublicKey,
    quote: 'SOL',
    quoteAmount,
    tokenAmount,
    reserves,
    creator: null,
    launchpad: 'pump.fun',
    cluster: 'mainnet',
    venue: 'curve',
  };
}

/** Returns the lamports of the real quote side; null for a non-standard curve. */
function liquidity(sol: number | undefined, tokens: number | undefined): number | null {
  return reservesOf(sol, tokens)?.realQuote ?? null;
}

/** Derives the real reserves of a standard curve from the virtual ones; null for another curve. */
function reservesOf(sol: number | undefined, tokens: number | undefined): Reserves | null {
  if (sol === undefined || tokens === undefined) return null;
  const virtualQuote = whole(sol * LAMPORTS_PER_SOL);
  const virtualToken = whole(tokens * TOKEN);
  if (virtualQuote === null || virtualToken === null) return null;
  const realQuote = virtualQuote - STANDARD_CURVE.virtualQuote;
  const realToken = virtualToken - UNSOLD_TOKEN;
  if (realQuote < 0 || realToken < 0 || realToken > STANDARD_CURVE.realToken) return null;
  return { virtualQuote, virtualToken, realQuote, realToken };
}

function lamports(sol: number | undefined): number | null {
  return sol === undefined ? null : whole(solToLamports(sol));
}

/** Returns the nearest integer; null beyond what a double holds exactly. */
function whole(value: number): number | null {
  const rounded = Math.round(value);
  return Number.isSafeInteger(rounded) ? rounded : null;
}

function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    // Counted as malformed by the caller.
    return null;
  }
}
