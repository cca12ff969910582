import { PublicKey } from '@solana/web3.js';
import { createGrowingCache } from '../../../../platform/growing-cache.ts';
import type {
  CreatedObservation,
  CreatorChangedObservation,
  MigratedObservation,
  Observation,
  Reserves,
  ReservesObservation,
  TradeObservation,
} from '../../observation.ts';
import { noAddress, pumpDecimals, pumpProgram, quoteMints } from '../programs.ts';
import { createDecoder } from './decode-event.ts';
import type { PoolRegistry } from './pools.ts';
import {
  baseOf,
  type EventContext,
  exact,
  type ObservationBase,
  type Observed,
  type Protocol,
  quoteKind,
} from './protocol.ts';
import { type PumpEvent, type PumpFields, pumpEvents } from './pump-events.ts';

const launchpad = 'pump.fun';
/** Creators whose kind of account is remembered: the check takes most of a millisecond. */
const rememberedCreators = 20_000;

/** Creates the reader of pump.fun's events. Migrations name the pools of coins to `pools`. */
export function createPump(pools: Pick<PoolRegistry, 'set'>): Protocol {
  const decode = createDecoder(pumpEvents);
  const walletOrNull = createWalletCheck();
  return {
    program: pumpProgram,
    firstIndex: 0,
    read(bytes, context) {
      const decoded = decode(bytes);
      if (!decoded.ok) return { ok: false, reason: decoded.fault };
      const observed = observe(decoded.event, context, walletOrNull);
      if (observed.ok && observed.observation.kind === 'migrated') {
        const { address: mint, pool } = observed.observation;
        pools.set(pool, { mint, quote: migrationQuote(decoded.event), isMain: true, coinIsBase: true, state: null });
      }
      return observed;
    },
  };
}

function migrationQuote(event: PumpEvent) {
  return quoteKind('quote_mint' in event.fields ? event.fields.quote_mint : undefined);
}

type WalletCheck = (address: string | undefined) => string | null;

/**
 * Returns a function that returns the address of a wallet, and null for an account of a program, which has no private key: an
 * account that shares the creator's fees out launched nothing and never trades.
 */
function createWalletCheck(): WalletCheck {
  const isWallet = createGrowingCache<boolean>(rememberedCreators);
  return (address) => {
    if (address === undefined || address === noAddress) return null;
    const known = isWallet.get(address) ?? PublicKey.isOnCurve(address);
    isWallet.set(address, known);
    return known ? address : null;
  };
}

function observe(event: PumpEvent, context: EventContext, walletOrNull: WalletCheck): Observed {
  const { mint, timestamp } = event.fields;
  // Events of a launch quoted in USDC have named USDC as the coin.
  if (quoteMints.has(mint)) return { ok: false, reason: 'quote-mint' };
  const shared = baseOf(timestamp, context);
  if (shared === null) return { ok: false, reason: 'bad-time' };
  const observation = build(event, { ...shared, address: mint }, context, walletOrNull);
  return observation === null ? { ok: false, reason: 'too-large' } : { ok: true, observation };
}

type Base = ObservationBase & { address: string };
type Cluster = EventContext['cluster'];
type Network = Pick<EventContext, 'cluster' | 'slotMs'>;

function build(event: PumpEvent, base: Base, network: Network, walletOrNull: WalletCheck): Observation | null {
  switch (event.name) {
    case 'CreateEvent':
      return created(event.fields, base, network);
    case 'TradeEvent':
      return traded(event.fields, base, network.cluster, walletOrNull);
    case 'CompleteEvent':
      return { kind: 'completed', ...base };
    case 'CompletePumpAmmMigrationEvent':
      return migrated(event.fields, base);
    case 'UpdateMayhemVirtualParamsEvent':
      return mayhemReserves(event.fields, base);
    case 'SetCreatorEvent':
      return creatorChanged(base, null, walletOrNull(event.fields.creator));
    case 'AdminSetCreatorEvent':
      return creatorChanged(base, walletOrNull(event.fields.old_creator), walletOrNull(event.fields.new_creator));
    case 'MigrateBondingCurveCreatorEvent':
      return creatorChanged(base, walletOrNull(event.fields.old_creator), walletOrNull(event.fields.new_creator));
  }
}

function created(fields: PumpFields<'CreateEvent'>, base: Base, network: Network): CreatedObservation | null {
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
    cluster: network.cluster,
    mayhem: fields.is_mayhem_mode ?? false,
    cashback: fields.is_cashback_enabled ?? false,
    slotMs: network.slotMs,
  };
}

function traded(
  fields: PumpFields<'TradeEvent'>,
  base: Base,
  cluster: Cluster,
  walletOrNull: WalletCheck,
): TradeObservation | null {
  // The `sol` fields are 0 for coins not quoted in SOL; the newer `quote` fields hold for all.
  const reserves = exact({
    virtualQuote: fields.virtual_quote_reserves ?? fields.virtual_sol_reserves,
    virtualToken: fields.virtual_token_reserves,
    realQuote: fields.real_quote_reserves ?? fields.real_sol_reserves,
    realToken: fields.real_token_reserves,
  });
  const amounts = exact({ quote: fields.quote_amount ?? fields.sol_amount, token: fields.token_amount });
  if (reserves === null || amounts === null) return null;
  return {
    kind: 'trade',
    ...base,
    side: fields.is_buy ? 'buy' : 'sell',
    wallet: fields.user,
    quote: quoteKind(fields.quote_mint),
    quoteAmount: amounts.quote,
    tokenAmount: amounts.token,
    reserves,
    creator: walletOrNull(fields.creator),
    launchpad,
    cluster,
    venue: 'curve',
  };
}

function migrated(fields: PumpFields<'CompletePumpAmmMigrationEvent'>, base: Base): MigratedObservation | null {
  const amounts = exact({ quote: fields.sol_amount, token: fields.mint_amount });
  if (amounts === null) return null;
  const move = { kind: 'migrated', ...base, pool: fields.pool } as const;
  // For other quotes the unit of `sol_amount` is undocumented; no amount is better than a wrong one.
  if (quoteKind(fields.quote_mint) !== 'SOL') return { ...move, quoteAmount: null };
  return { ...move, quoteAmount: amounts.quote, reserves: openingReserves(amounts) };
}

/** Returns the reserves of a pool that has just been filled. */
export function openingReserves({ quote, token }: { quote: number; token: number }): Reserves {
  return { virtualQuote: quote, virtualToken: token, realQuote: quote, realToken: token };
}

function mayhemReserves(fields: PumpFields<'UpdateMayhemVirtualParamsEvent'>, base: Base): ReservesObservation | null {
  const reserves = exact({
    virtualQuote: fields.new_virtual_sol_reserves,
    virtualToken: fields.new_virtual_token_reserves,
    realQuote: fields.real_sol_reserves,
    realToken: fields.real_token_reserves,
  });
  return reserves && { kind: 'reserves', ...base, quote: 'SOL', reserves, venue: 'curve', burned: 0 };
}

function creatorChanged(base: Base, previous: string | null, creator: string | null): CreatorChangedObservation {
  return { kind: 'creator-changed', ...base, previous, creator };
}
