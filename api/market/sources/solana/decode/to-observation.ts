import type {
  CompletedObservation,
  CreatedObservation,
  MigratedObservation,
  Observation,
  OnChain,
  QuoteKind,
  Reserves,
  TradeObservation,
} from '../../observation.ts';
import { noAddress, pumpDecimals, quoteMints, usdc, wrappedSol } from '../programs.ts';
import type { FieldsOf, PumpEvent } from './event-layouts.ts';

/** Why a decoded event yields no observation. */
export type RejectReason = 'quote-mint' | 'too-large' | 'bad-time';
export type Observed = { ok: true; observation: Observation } | { ok: false; reason: RejectReason };

/** Context that the event itself lacks. */
export interface EventContext {
  source: 'solana' | 'replay';
  cluster: 'mainnet' | 'devnet' | 'local';
  chain: OnChain;
  /** Receive time, epoch ms. */
  receivedAt: number;
  /** Added to the event's own time, ms: a replay may shift a recording to the present. */
  shift: number;
}

/** Valid block times (seconds): from Solana's first block to 2100-01-01. */
const firstBlock = 1_584_282_000;
const endOfTime = 4_102_444_800;

const launchpad = 'pump.fun';

/** Converts a pump.fun event to an observation. Never throws. */
export function toObservation(event: PumpEvent, context: EventContext): Observed {
  const { mint, timestamp } = event.fields;
  // Events of a launch quoted in USDC have named USDC as the coin.
  if (quoteMints.has(mint)) return { ok: false, reason: 'quote-mint' };
  const seconds = Number(timestamp);
  if (seconds < firstBlock || seconds > endOfTime) return { ok: false, reason: 'bad-time' };
  const base = {
    source: context.source,
    chain: context.chain,
    address: mint,
    at: seconds * 1_000 + context.shift,
    receivedAt: context.receivedAt,
  };
  const observation = build(event, base, context);
  return observation === null ? { ok: false, reason: 'too-large' } : { ok: true, observation };
}

type Base = Pick<CompletedObservation, 'source' | 'chain' | 'address' | 'at' | 'receivedAt'>;

function build(event: PumpEvent, base: Base, { cluster }: EventContext): Observation | null {
  switch (event.name) {
    case 'CreateEvent':
      return created(event.fields, base, cluster);
    case 'TradeEvent':
      return traded(event.fields, base, cluster);
    case 'CompleteEvent':
      return { kind: 'completed', ...base };
    case 'CompletePumpAmmMigrationEvent':
      return migrated(event.fields, base);
  }
}

type Cluster = EventContext['cluster'];

function created(fields: FieldsOf<'CreateEvent'>, base: Base, cluster: Cluster): CreatedObservation | null {
  const reserves = exact({
    virtualQuote: fields.virtual_quote_reserves ?? fields.virtual_sol_reserves,
    virtualToken: fields.virtual_token_reserves,
    // Not part of the event: 0 before the first trade.
    realQuote: 0n,
    realToken: fields.real_token_reserves,
  });
  if (reserves === null) return null;
  return {
    kind: 'created',
    ...base,
    name: fields.name,
    symbol: fields.symbol,
    uri: fields.uri,
    creator: fields.creator,
    user: fields.user,
    bondingCurve: fields.bonding_curve,
    quote: quoteKind(fields.quote_mint),
    decimals: pumpDecimals,
    totalSupply: fields.token_total_supply.toString(),
    reserves,
    launchpad,
    cluster,
    mayhem: fields.is_mayhem_mode ?? false,
    cashback: fields.is_cashback_enabled ?? false,
  };
}

function traded(fields: FieldsOf<'TradeEvent'>, base: Base, cluster: Cluster): TradeObservation | null {
  const quote = quoteKind(fields.quote_mint);
  // The `sol` fields are 0 for coins not quoted in SOL; the newer `quote` fields hold for all.
  const reserves = exact({
    virtualQuote: fields.virtual_quote_reserves ?? fields.virtual_sol_reserves,
    virtualToken: fields.virtual_token_reserves,
    realQuote: fields.real_quote_reserves ?? fields.real_sol_reserves,
    realToken: fields.real_token_reserves,
  });
  const amounts = exact({ quote: fields.quote_amount ?? fields.sol_amount, token: fields.token_amount });
  if (reserves === null || amounts === null) return null;
  const { creator } = fields;
  return {
    kind: 'trade',
    ...base,
    side: fields.is_buy ? 'buy' : 'sell',
    wallet: fields.user,
    quote,
    quoteAmount: amounts.quote,
    tokenAmount: amounts.token,
    reserves,
    creator: creator === undefined || creator === noAddress ? null : creator,
    launchpad,
    cluster,
    venue: 'curve',
  };
}

function migrated(fields: FieldsOf<'CompletePumpAmmMigrationEvent'>, base: Base): MigratedObservation | null {
  const amounts = exact({ sol: fields.sol_amount });
  if (amounts === null) return null;
  // For other quotes the unit of `sol_amount` is undocumented; no amount is better than a wrong one.
  const quoteAmount = quoteKind(fields.quote_mint) === 'SOL' ? amounts.sol : null;
  return { kind: 'migrated', ...base, pool: fields.pool, quoteAmount };
}

/** Returns the quote of a coin; events of older programs, without a quote mint, mean SOL. */
export function quoteKind(quoteMint: string | undefined): QuoteKind {
  if (quoteMint === undefined || quoteMint === noAddress || quoteMint === wrappedSol) return 'SOL';
  return quoteMint === usdc ? 'USDC' : 'other';
}

/** Converts amounts to numbers; null when one exceeds what a double holds exactly (2^53). */
function exact<Key extends string>(amounts: Record<Key, bigint>): Record<Key, number> | null;
function exact(amounts: Record<string, bigint>): Record<string, number> | Reserves | null {
  const numbers: Record<string, number> = {};
  for (const [key, amount] of Object.entries(amounts)) {
    if (amount > BigInt(Number.MAX_SAFE_INTEGER)) return null;
    numbers[key] = Number(amount);
  }
  return numbers;
}
