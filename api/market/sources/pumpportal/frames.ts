import { z } from 'zod';
import { STANDARD_CURVE } from '../../../../common/tokens/curve.ts';
import { LAMPORTS_PER_SOL, solToLamports } from '../../../../common/tokens/units.ts';
import type { ListedObservation, Listing, Reserves, TradeObservation } from '../observation.ts';
import { launchpadName } from '../polled/launchpad-names.ts';
import { quoteMints } from '../solana/programs.ts';
import { createSeen } from '../solana/seen.ts';

/** What one frame was. */
export type PortalFrame =
  /** A new coin, or one that moved into a pool. `launched` names a coin whose trades may be asked for. */
  | { kind: 'event'; observations: (ListedObservation | TradeObservation)[]; launched: string | null }
  /** A subscription was accepted. */
  | { kind: 'accepted' }
  /** Anything else that the service says in words. */
  | { kind: 'notice'; text: string }
  /** Heard before, or of no use: see `counts`. */
  | { kind: 'dropped' }
  | { kind: 'malformed' };

export interface PortalCounts {
  launches: number;
  trades: number;
  migrations: number;
  duplicate: number;
  /** Coins paid for in something else than SOL are told with what pays for them as the coin: there is no coin to tell of. */
  'quote-mint': number;
  /** Trades on a curve or pool whose reserves the frame does not tell. */
  unusable: number;
  malformed: number;
}

export interface PortalFrames {
  /** Reads one frame; frames name no time, so that `receivedAt` is when it happened. Never throws. */
  read(raw: string, receivedAt: number): PortalFrame;
  counts(): Readonly<PortalCounts>;
}

/** Signatures remembered: at the usual rate of launches half a day. */
const seenLimit = 20_000;
/** Every coin of a standard launchpad has so many tokens, of six decimals each. */
const SUPPLY_TOKENS = STANDARD_CURVE.totalSupply / 10 ** STANDARD_CURVE.decimals;
const TOKEN = 10 ** STANDARD_CURVE.decimals;
/** Tokens of the curve that are never sold on it. */
const UNSOLD_TOKEN = STANDARD_CURVE.virtualToken - STANDARD_CURVE.realToken;

/** Launchpads whose coins all have the same supply and decimals. Of others we do not know the rules. */
const STANDARD: ReadonlySet<string | null> = new Set(['pump.fun', 'letsbonk.fun']);

const address = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
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

/** The one way from what PumpPortal sends to observations. */
export function createPortalFrames(): PortalFrames {
  const seen = createSeen(seenLimit);
  const counts: PortalCounts = {
    launches: 0,
    trades: 0,
    migrations: 0,
    duplicate: 0,
    'quote-mint': 0,
    unusable: 0,
    malformed: 0,
  };

  function drop(why: keyof PortalCounts): PortalFrame {
    counts[why] += 1;
    return why === 'malformed' ? { kind: 'malformed' } : { kind: 'dropped' };
  }

  function read(raw: string, receivedAt: number): PortalFrame {
    const parsed = frameSchema.safeParse(json(raw));
    if (!parsed.success) return drop('malformed');
    const frame = parsed.data;
    if ('message' in frame) return messageFrame(frame.message);
    if (quoteMints.has(frame.mint)) return drop('quote-mint');
    // The transaction alone would not do: one may trade several times, each with other reserves after it.
    const state = 'vSolInBondingCurve' in frame ? `:${frame.vSolInBondingCurve}:${frame.vTokensInBondingCurve}` : '';
    if (!seen.add(`${frame.signature}:${frame.txType}${state}`)) return drop('duplicate');
    const base = { source: 'pumpportal', address: frame.mint, at: receivedAt, receivedAt } as const;
    switch (frame.txType) {
      case 'create':
        counts.launches += 1;
        return event([{ ...base, kind: 'listed', mayBegin: true, listing: launch(frame, receivedAt) }], frame.mint);
      case 'migrate':
        counts.migrations += 1;
        // Not `migrated`: the frame names neither the pool nor the place of the event in its transaction.
        return event([{ ...base, kind: 'listed', mayBegin: false, listing: { stage: 'pool' } }], null);
      case 'buy':
      case 'sell': {
        const trade = traded(frame, base);
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

function launch(frame: Create, receivedAt: number): Listing {
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

function traded(
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
    // The reserves after it stand for its place within the transaction, which the frame does not name.
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

/** Lamports of the real quote side; null when the curve is not a standard one. */
function liquidity(sol: number | undefined, tokens: number | undefined): number | null {
  return reservesOf(sol, tokens)?.realQuote ?? null;
}

/** What is really there follows from the virtual reserves of a standard curve; null for another one. */
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

/** The nearest integer; null when a double does not hold it exactly. */
function whole(value: number): number | null {
  const rounded = Math.round(value);
  return Number.isSafeInteger(rounded) ? rounded : null;
}

function json(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    // Not JSON is of the wrong shape, and counted as such.
    return null;
  }
}
