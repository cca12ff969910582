import bs58 from 'bs58';
import type { Observation, Reserves } from '../../observation.ts';
import { poolAuthorityOf, pumpSwapProgram, quoteMints } from '../programs.ts';
import { createDecoder } from './decode-event.ts';
import type { Pool, PoolRegistry, PoolState } from './pools.ts';
import {
  baseOf,
  type EventContext,
  exact,
  type ObservationBase,
  type Observed,
  type Protocol,
  quoteKind,
} from './protocol.ts';
import { openingReserves } from './pump.ts';
import { type PumpSwapEvent, type PumpSwapFields, pumpSwapAccounts, pumpSwapEvents } from './pump-swap-events.ts';

const launchpad = 'pump.fun';

/**
 * Creates the reader of PumpSwap's events, where a coin of pump.fun trades once its curve is complete. The events name no mint:
 * `pools` does. Only the main pool makes trades and reserves; of the others, withdrawals are observed.
 */
export function createPumpSwap(pools: PoolRegistry): Protocol {
  const decode = createDecoder(pumpSwapEvents);
  return {
    program: pumpSwapProgram,
    firstIndex: 1_000,
    read(bytes, context) {
      if (isIgnoredTrade(bytes, pools)) return { ok: false, reason: 'other-pool' };
      const decoded = decode(bytes);
      if (!decoded.ok) return { ok: false, reason: decoded.fault };
      const { event } = decoded;
      const base = baseOf(event.fields.timestamp, context);
      if (base === null) return { ok: false, reason: 'bad-time' };
      if (event.name === 'CreatePoolEvent') return poolCreated(event.fields, base, pools);
      const pool = pools.get(event.fields.pool);
      if (pool === undefined) return { ok: false, reason: 'unknown-pool' };
      if (pool === null) return { ok: false, reason: 'other-pool' };
      return pool.isMain ? mainPool(event, pool, base, context) : otherPool(event, pool, base);
    },
  };
}

/** Discriminators of buys and sells, and the place of the pool's address in them. */
const trades = [pumpSwapEvents.BuyEvent.discriminator, pumpSwapEvents.SellEvent.discriminator];
const poolOfTrade = { start: 120, end: 152 } as const;

/** Returns whether an event is a trade in a pool of no interest, as most are: its other forty fields need not be decoded. */
function isIgnoredTrade(bytes: Buffer, pools: Pick<PoolRegistry, 'isIgnored'>): boolean {
  const { start, end } = poolOfTrade;
  if (bytes.length < end || !trades.some((trade) => trade === bytes.toString('hex', 0, 8))) return false;
  return pools.isIgnored(bs58.encode(bytes.subarray(start, end)));
}

/** Identity of a pool as its creation and its account give it. */
export interface PoolIdentity {
  index: number;
  creator: string;
  base_mint: string;
  quote_mint: string;
}

/** Returns the coin and the other side of a pool; null when both sides are quotes, such as SOL and USDC. */
export function poolOf({ index, creator, base_mint, quote_mint }: PoolIdentity): Pool | null {
  const coinIsBase = !quoteMints.has(base_mint);
  const [mint, quoteMint] = coinIsBase ? [base_mint, quote_mint] : [quote_mint, base_mint];
  if (quoteMints.has(mint)) return null;
  // Anyone may create pools, also with the index 0: the main one has the migration's creator.
  const isMain = coinIsBase && index === 0 && creator === poolAuthorityOf(mint);
  return { mint, quote: quoteKind(quoteMint), isMain, coinIsBase, state: null };
}

const decodeAccount = createDecoder(pumpSwapAccounts);

/** Decodes the account of a pool; null for other bytes. */
export function decodePoolAccount(bytes: Buffer): PoolIdentity | null {
  const decoded = decodeAccount(bytes);
  return decoded.ok ? decoded.event.fields : null;
}

function poolCreated(
  fields: PumpSwapFields<'CreatePoolEvent'>,
  base: ObservationBase,
  pools: Pick<PoolRegistry, 'set'>,
): Observed {
  const pool = poolOf(fields);
  if (pool === null) return { ok: false, reason: 'quote-mint' };
  const state = { base: fields.pool_base_amount, quote: fields.pool_quote_amount, virtualQuote: 0n };
  pools.set(fields.pool, { ...pool, state });
  if (!pool.isMain) return { ok: false, reason: 'other-pool' };
  const amounts = exact({ quote: fields.pool_quote_amount, token: fields.pool_base_amount });
  if (amounts === null) return { ok: false, reason: 'too-large' };
  const observation: Observation = {
    kind: 'migrated',
    ...base,
    address: pool.mint,
    pool: fields.pool,
    quoteAmount: amounts.quote,
    reserves: openingReserves(amounts),
  };
  return { ok: true, observation };
}

type PoolEvent = Exclude<PumpSwapEvent, { name: 'CreatePoolEvent' }>;

function mainPool(event: PoolEvent, pool: Pool, base: ObservationBase, { cluster }: EventContext): Observed {
  const state = stateAfter(event, pool.state);
  if (state === null) return { ok: false, reason: 'impossible' };
  const reserves = reservesOf(state);
  if (reserves === null) return { ok: false, reason: 'too-large' };
  const trade = tradeOf(event);
  const amounts = exact({
    quote: trade?.quote ?? 0n,
    token: trade?.token ?? 0n,
    burned: burnedBy(event),
    quoteBefore: trade === null ? 0n : trade.quoteBefore + state.virtualQuote,
    tokenBefore: trade?.tokenBefore ?? 0n,
  });
  if (amounts === null) return { ok: false, reason: 'too-large' };
  pool.state = state;
  const shared = { ...base, address: pool.mint, quote: pool.quote, reserves, venue: 'pool' } as const;
  if (trade === null) return { ok: true, observation: { kind: 'reserves', ...shared, burned: amounts.burned } };
  return {
    ok: true,
    observation: {
      kind: 'trade',
      ...shared,
      side: trade.side,
      wallet: trade.wallet,
      quoteAmount: amounts.quote,
      tokenAmount: amounts.token,
      before: { virtualQuote: amounts.quoteBefore, virtualToken: amounts.tokenBefore },
      // The account that earns the fees, which the curve's events report.
      creator: null,
      launchpad,
      cluster,
      ...(trade.supply === undefined ? {} : { totalSupply: trade.supply.toString() }),
    },
  };
}

/** Returns wallet, amounts and the reserves before a buy or sell; the quote without fees, as on the curve. Null for other events. */
function tradeOf(event: PoolEvent) {
  switch (event.name) {
    case 'BuyEvent': {
      const { base_amount_out: token, quote_amount_in: quote, user: wallet, base_supply: supply } = event.fields;
      return { side: 'buy', token, quote, wallet, supply, ...vaultsBefore(event.fields) } as const;
    }
    case 'SellEvent': {
      const { base_amount_in: token, quote_amount_out: quote, user: wallet, base_supply: supply } = event.fields;
      return { side: 'sell', token, quote, wallet, supply, ...vaultsBefore(event.fields) } as const;
    }
    default:
      return null;
  }
}

function vaultsBefore({
  pool_base_token_reserves: tokenBefore,
  pool_quote_token_reserves: quoteBefore,
}: Pick<PumpSwapFields<'BuyEvent'>, 'pool_base_token_reserves' | 'pool_quote_token_reserves'>) {
  return { tokenBefore, quoteBefore };
}

function burnedBy(event: PoolEvent): bigint {
  return event.name === 'BoostBuyAndBurnEvent' ? event.fields.base_amount_burned : 0n;
}

/** Returns the state of a pool after an event; null when it is impossible, or unknown because the event has only a part of it. */
function stateAfter(event: PoolEvent, known: PoolState | null): PoolState | null {
  const state = nextState(event, known);
  if (state === null || state.base <= 0n || state.quote < 0n || state.quote + state.virtualQuote <= 0n) return null;
  return state;
}

/** Applies an event to the reserves before it. The liquidity providers' fee stays in the pool. */
function nextState(event: PoolEvent, known: PoolState | null): PoolState | null {
  switch (event.name) {
    case 'BuyEvent': {
      const { pool_base_token_reserves: base, pool_quote_token_reserves: quote, virtual_quote_reserves } = event.fields;
      return {
        base: base - event.fields.base_amount_out,
        quote: quote + event.fields.quote_amount_in_with_lp_fee,
        virtualQuote: virtual_quote_reserves ?? 0n,
      };
    }
    case 'SellEvent': {
      const { pool_base_token_reserves: base, pool_quote_token_reserves: quote, virtual_quote_reserves } = event.fields;
      return {
        base: base + event.fields.base_amount_in,
        quote: quote - event.fields.quote_amount_out_without_lp_fee,
        virtualQuote: virtual_quote_reserves ?? 0n,
      };
    }
    case 'DepositEvent': {
      const { pool_base_token_reserves: base, pool_quote_token_reserves: quote } = event.fields;
      const { base_amount_in, quote_amount_in } = event.fields;
      return { base: base + base_amount_in, quote: quote + quote_amount_in, virtualQuote: known?.virtualQuote ?? 0n };
    }
    case 'WithdrawEvent': {
      const { pool_base_token_reserves: base, pool_quote_token_reserves: quote } = event.fields;
      const { base_amount_out, quote_amount_out } = event.fields;
      return { base: base - base_amount_out, quote: quote - quote_amount_out, virtualQuote: known?.virtualQuote ?? 0n };
    }
    case 'InitBoostEvent': {
      const { virtual_quote_reserves: virtualQuote, real_quote_reserves_after: quote } = event.fields;
      return known && { base: known.base, quote, virtualQuote };
    }
    case 'BoostBuyAndBurnEvent': {
      const {
        virtual_quote_reserves: virtualQuote,
        real_quote_reserves_after: quote,
        base_reserves_after: base,
      } = event.fields;
      return { base, quote, virtualQuote };
    }
  }
}

/** Returns the reserves of a pool: price = (quote + virtual quote) / base, and the real quote is its liquidity. */
function reservesOf({ base, quote, virtualQuote }: PoolState): Reserves | null {
  return exact({ virtualQuote: quote + virtualQuote, virtualToken: base, realQuote: quote, realToken: base });
}

function otherPool(event: PoolEvent, pool: Pool, base: ObservationBase): Observed {
  if (event.name !== 'WithdrawEvent') return { ok: false, reason: 'other-pool' };
  const { pool: address, user: wallet, base_amount_out, quote_amount_out } = event.fields;
  const amounts = exact({ quote: pool.coinIsBase ? quote_amount_out : base_amount_out });
  if (amounts === null) return { ok: false, reason: 'too-large' };
  const observation: Observation = {
    kind: 'liquidity-withdrawn',
    ...base,
    address: pool.mint,
    pool: address,
    wallet,
    quote: pool.quote,
    quoteAmount: amounts.quote,
  };
  return { ok: true, observation };
}
