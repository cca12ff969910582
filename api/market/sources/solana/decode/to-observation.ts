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

/** Why a decoded event is not handed on. */
export type RejectReason = 'quote-mint' | 'too-large' | 'bad-time';
export type Observed = { ok: true; observation: Observation } | { ok: false; reason: RejectReason };

/** What an event itself does not say. */
export interface EventContext {
  source: 'solana' | 'replay';
  cluster: 'mainnet' | 'devnet' | 'local';
  chain: OnChain;
  /** When we heard of it, epoch ms. */
  receivedAt: number;
  /** Added to the event's own time, ms: a replay may move a recording into the present. */
  shift: number;
}

/** A block time outside of these is not one (seconds): Solana's first block, and 2100-01-01. */
const firstBlock = 1_584_282_000;
const endOfTime = 4_102_444_800;

const launchpad = 'pump.fun';

/** Says what a pump.fun event means to the market. Never throws. */
export function observeEvent(event: PumpEvent, context: EventContext): Observed {
  const { mint, timestamp } = event.fields;
  // A launch that is paid for in USDC has been reported with USDC as the coin.
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
    // The event does not name it: nobody has paid anything in before the first trade.
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
  // Coins paid for in something else than SOL say 0 in the `sol` fields; the `quote` fields hold for all, where there are any.
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
  // Of coins paid for in something else nothing says whether `sol_amount` counts in that; no amount is better than a wrong one.
  const quoteAmount = quoteKind(fields.quote_mint) === 'SOL' ? amounts.sol : null;
  return { kind: 'migrated', ...base, pool: fields.pool, quoteAmount };
}

/** What a coin is paid with; events from before there was a choice mean SOL. */
export function quoteKind(quoteMint: string | undefined): QuoteKind {
  if (quoteMint === undefined || quoteMint === noAddress || quoteMint === wrappedSol) return 'SOL';
  return quoteMint === usdc ? 'USDC' : 'other';
}

/** The amounts as numbers, or null when one of them is more than a double holds exactly (2^53). */
function exact<Key extends string>(amounts: Record<Key, bigint>): Record<Key, number> | null;
function exact(amounts: Record<string, bigint>): Record<string, number> | Reserves | null {
  const numbers: Record<string, number> = {};
  for (const [key, amount] of Object.entries(amounts)) {
    if (amount > BigInt(Number.MAX_SAFE_INTEGER)) return null;
    numbers[key] = Number(amount);
  }
  return numbers;
}
