import { STANDARD_CURVE } from '../../../../../common/tokens/curve.ts';
import type { ListedObservation, Reserves, TradeObservation } from '../../observation.ts';
import { quoteMints } from '../programs.ts';
import { createDecoder } from './decode-event.ts';
import type { EventOf, FieldsOf, Layouts } from './layout.ts';
import type { ProgramCall } from './program-events.ts';
import {
  type CallContext,
  exact,
  type Launchpad,
  type Migrations,
  type Observed,
  quoteKind,
  readMigration,
} from './protocol.ts';

/**
 * Layouts of the events of Meteora's dynamic bonding curve: names, order and types as in the IDL of github
 * MeteoraAg/dynamic-bonding-curve-sdk @ce9afb7. The program emits EvtSwap and EvtSwap2 for each trade; the second has the
 * reserves.
 */
export const meteoraDbcEvents = {
  EvtInitializePool: {
    discriminator: 'e432f655cb428625',
    required: {
      pool: 'pubkey',
      config: 'pubkey',
      creator: 'pubkey',
      base_mint: 'pubkey',
      pool_type: 'u8',
      activation_point: 'u64',
    },
  },
  EvtSwap2: {
    discriminator: 'bd4233a826507599',
    required: {
      pool: 'pubkey',
      config: 'pubkey',
      // 0 the coin for the quote, 1 the quote for the coin.
      trade_direction: 'u8',
      has_referral: 'bool',
      swap_parameters: { struct: { amount_0: 'u64', amount_1: 'u64', swap_mode: 'u8' } },
      swap_result: {
        struct: {
          included_fee_input_amount: 'u64',
          excluded_fee_input_amount: 'u64',
          amount_left: 'u64',
          output_amount: 'u64',
          next_sqrt_price: 'u128',
          trading_fee: 'u64',
          protocol_fee: 'u64',
          referral_fee: 'u64',
        },
      },
      quote_reserve_amount: 'u64',
      migration_threshold: 'u64',
      current_timestamp: 'u64',
    },
  },
  EvtCurveComplete: {
    discriminator: 'e5e756549c864b18',
    required: {
      pool: 'pubkey',
      config: 'pubkey',
      base_reserve: 'u64',
      quote_reserve: 'u64',
    },
  },
} as const satisfies Layouts;

/** Arguments of the instructions that create a pool, for a coin of either token program. */
const parameters = { name: 'string', symbol: 'string', uri: 'string' } as const;
export const meteoraDbcInstructions = {
  InitializeWithSplToken: { discriminator: '8c55d7b06636684f', required: parameters },
  InitializeWithToken2022: { discriminator: 'a976334e916edc9b', required: parameters },
} as const satisfies Layouts;

export type MeteoraDbcEvent = EventOf<typeof meteoraDbcEvents>;

/** Positions of accounts in the instructions. */
const creation = { quote: 4 } as const;
const trading = { mint: 7, quote: 8, payer: 9 } as const;
const migrations: Migrations = {
  // migrate_meteora_damm, migration_damm_v2
  '1b013016b43f76d9': { mint: 7, pool: 4 },
  '9ca9e66735e45040': { mint: 13, pool: 4 },
};

const source = 'meteora-dbc';
const launchpad = 'meteora';
/** Fraction bits of a square root of a price. */
const sqrtPriceBits = 64n;
/** Token side of the reserves that express a price, base units. */
const pricedTokens = 1_000_000_000_000_000n;

const decodeEvent = createDecoder(meteoraDbcEvents);
const decodeInstruction = createDecoder(meteoraDbcInstructions);

/** Meteora's dynamic bonding curve, which Believe and many other launchpads use. */
export const meteoraDbc: Launchpad = {
  source,
  program: 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN',
  firstIndex: 3_000,
  vaultOwner: 'FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM',
  urgent: /^Program log: Instruction: (InitializeVirtualPool|Migrat)/,
  read(call, context) {
    const migrated = readMigration(call, { source, migrations }, context);
    return [...call.events.map((bytes) => readEvent(bytes, call, context)), ...migrated];
  },
};

function readEvent(bytes: Buffer, call: ProgramCall, context: CallContext): Observed {
  const chain = context.nextPlace();
  const decoded = decodeEvent(bytes);
  if (!decoded.ok) return { ok: false, reason: decoded.fault };
  const { event } = decoded;
  if (event.name === 'EvtInitializePool') return created(event.fields, call, context);
  const mint = call.accounts[trading.mint];
  const payer = call.accounts[trading.payer];
  if (mint === undefined || payer === undefined) return { ok: false, reason: 'malformed' };
  if (quoteMints.has(mint)) return { ok: false, reason: 'quote-mint' };
  const { at, receivedAt, cluster } = context;
  const base = { source, chain, address: mint, at, receivedAt } as const;
  if (event.name === 'EvtCurveComplete') return { ok: true, observation: { kind: 'completed', ...base } };
  const trade = traded(event.fields);
  if (trade === 'impossible' || trade === 'too-large') return { ok: false, reason: trade };
  const observation: TradeObservation = {
    kind: 'trade',
    ...base,
    ...trade,
    wallet: payer,
    quote: quoteKind(call.accounts[trading.quote]),
    creator: null,
    launchpad,
    cluster,
    venue: 'curve',
  };
  return { ok: true, observation };
}

/** Name and symbol are arguments of the call; supply and curve are in accounts, which are not read. */
function created(
  fields: FieldsOf<typeof meteoraDbcEvents, 'EvtInitializePool'>,
  { accounts, data }: ProgramCall,
  { at, receivedAt, decimalsOf }: CallContext,
): Observed {
  const named = decodeInstruction(data);
  const { base_mint: mint } = fields;
  if (quoteMints.has(mint)) return { ok: false, reason: 'quote-mint' };
  const observation: ListedObservation = {
    kind: 'listed',
    source,
    at,
    receivedAt,
    address: mint,
    mayBegin: true,
    listing: {
      ...(named.ok ? named.event.fields : {}),
      creator: fields.creator,
      createdAt: at,
      decimals: decimalsOf(mint),
      bondingCurve: fields.pool,
      launchpad,
      quote: quoteKind(accounts[creation.quote]),
      stage: 'curve',
    },
  };
  return { ok: true, observation };
}

function traded(
  fields: FieldsOf<typeof meteoraDbcEvents, 'EvtSwap2'>,
): Pick<TradeObservation, 'side' | 'quoteAmount' | 'tokenAmount' | 'reserves'> | 'impossible' | 'too-large' {
  const { excluded_fee_input_amount, included_fee_input_amount, output_amount } = fields.swap_result;
  const isBuy = fields.trade_direction === 1;
  const amounts = exact({
    quote: isBuy ? excluded_fee_input_amount : output_amount,
    token: isBuy ? output_amount : included_fee_input_amount,
  });
  if (amounts === null) return 'too-large';
  const reserves = reservesOf(fields);
  if (reserves === null) return 'impossible';
  return { side: isBuy ? 'buy' : 'sell', quoteAmount: amounts.quote, tokenAmount: amounts.token, reserves };
}

/**
 * Returns reserves that have the event's price, (next_sqrt_price / 2^64)² quote units per base unit, and its real quote. The
 * curve's own are in an account; the tokens left stand for the part of the threshold that is not reached yet.
 */
function reservesOf(fields: FieldsOf<typeof meteoraDbcEvents, 'EvtSwap2'>): Reserves | null {
  const { quote_reserve_amount: quote, migration_threshold: threshold, swap_result } = fields;
  const virtualQuote = (swap_result.next_sqrt_price ** 2n * pricedTokens) >> (2n * sqrtPriceBits);
  const left = quote < threshold ? threshold - quote : 0n;
  if (virtualQuote === 0n || threshold === 0n) return null;
  return exact({
    virtualQuote,
    virtualToken: pricedTokens,
    realQuote: quote,
    realToken: (BigInt(STANDARD_CURVE.realToken) * left) / threshold,
  });
}
