import type { ListedObservation, Observation, TradeObservation } from '../../observation.ts';
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
 * Layouts of Raydium LaunchLab's events: names, order and types as in its published IDL, checked to the last byte on a recorded
 * creation and trade of 2026. The trade has the discriminator of pump.fun's.
 */
export const launchLabEvents = {
  PoolCreateEvent: {
    discriminator: '97d7e20976a173ae',
    required: {
      pool_state: 'pubkey',
      creator: 'pubkey',
      config: 'pubkey',
      base_mint_param: { struct: { decimals: 'u8', name: 'string', symbol: 'string', uri: 'string' } },
      curve_param: {
        variants: {
          Constant: { supply: 'u64', total_base_sell: 'u64', total_quote_fund_raising: 'u64', migrate_type: 'u8' },
          Fixed: { supply: 'u64', total_quote_fund_raising: 'u64', migrate_type: 'u8' },
          Linear: { supply: 'u64', total_quote_fund_raising: 'u64', migrate_type: 'u8' },
        },
      },
    },
    appended: {
      vesting_param: { struct: { total_locked_amount: 'u64', cliff_period: 'u64', unlock_period: 'u64' } },
      amm_fee_on: 'u8',
    },
  },
  TradeEvent: {
    discriminator: 'bddb7fd34ee661ee',
    required: {
      pool_state: 'pubkey',
      total_base_sell: 'u64',
      virtual_base: 'u64',
      virtual_quote: 'u64',
      // Sold so far.
      real_base_before: 'u64',
      real_quote_before: 'u64',
      real_base_after: 'u64',
      real_quote_after: 'u64',
      amount_in: 'u64',
      amount_out: 'u64',
      protocol_fee: 'u64',
      platform_fee: 'u64',
      creator_fee: 'u64',
      share_fee: 'u64',
      // 0 buy, 1 sell.
      trade_direction: 'u8',
      // 0 collecting, 1 complete, 2 moved into a pool.
      pool_status: 'u8',
    },
    appended: { exact_in: 'bool' },
  },
} as const satisfies Layouts;

export type LaunchLabEvent = EventOf<typeof launchLabEvents>;

/** Positions of accounts in the instructions that create a coin, trade, and migrate it. */
const creation = { payer: 0, platform: 3, mint: 6, quote: 7 } as const;
const trading = { payer: 0, platform: 3, mint: 9, quote: 10 } as const;
const migrations: Migrations = {
  // migrate_to_amm, migrate_to_cpswap
  cf52c091fecf91df: { mint: 1, pool: 13 },
  '885cc8671cda908c': { mint: 1, pool: 5 },
};

/** `platform_config` of LetsBonk. */
const letsBonk = 'FfYek5vEz23cMkWsdJwG2oa6EphsvXSHrGpdALN4g6W1';
const launchpadOf = (platform: string | undefined) => (platform === letsBonk ? 'letsbonk.fun' : 'raydium-launchlab');

const source = 'launchlab';
const decode = createDecoder(launchLabEvents);

/** Raydium LaunchLab. LetsBonk is one of its platforms. */
export const launchLab: Launchpad = {
  source,
  program: 'LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj',
  firstIndex: 2_000,
  vaultOwner: 'WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh',
  // Whole names: the token program initializes accounts in every purchase.
  urgent: /^Program log: Instruction: (?:Initialize(?:V2|WithToken2022)?|MigrateTo(?:Amm|Cpswap))$/,
  read(call, context) {
    const migrated = readMigration(call, { source, migrations }, context);
    return [...call.events.flatMap((bytes) => readEvent(bytes, call, context)), ...migrated];
  },
};

function readEvent(bytes: Buffer, { accounts }: ProgramCall, context: CallContext): Observed[] {
  const place = context.nextPlace();
  const decoded = decode(bytes);
  if (!decoded.ok) return [{ ok: false, reason: decoded.fault }];
  const { event } = decoded;
  const isCreation = event.name === 'PoolCreateEvent';
  const mint = accounts[isCreation ? creation.mint : trading.mint];
  const payer = accounts[isCreation ? creation.payer : trading.payer];
  if (mint === undefined || payer === undefined) return [{ ok: false, reason: 'malformed' }];
  if (quoteMints.has(mint)) return [{ ok: false, reason: 'quote-mint' }];
  if (event.name === 'PoolCreateEvent')
    return [{ ok: true, observation: created(event.fields, mint, accounts, context) }];
  const trade = traded(event.fields, { mint, payer, accounts }, context);
  if (trade === 'impossible' || trade === 'too-large') return [{ ok: false, reason: trade }];
  const observations: Observation[] = [{ ...trade, chain: place }];
  if (event.fields.pool_status === 1) {
    const { at, receivedAt } = context;
    observations.push({ kind: 'completed', source, chain: context.nextPlace(), address: mint, at, receivedAt });
  }
  return observations.map((observation) => ({ ok: true, observation }));
}

/** The event has no reserves, and some trades may not be fetched: the coin begins as one whose holders are not counted. */
function created(
  fields: FieldsOf<typeof launchLabEvents, 'PoolCreateEvent'>,
  mint: string,
  accounts: readonly string[],
  { at, receivedAt }: CallContext,
): ListedObservation {
  const { name, symbol, uri, decimals } = fields.base_mint_param;
  return {
    kind: 'listed',
    source,
    at,
    receivedAt,
    address: mint,
    mayBegin: true,
    listing: {
      name,
      symbol,
      uri,
      decimals,
      creator: fields.creator,
      createdAt: at,
      totalSupply: fields.curve_param.supply.toString(),
      bondingCurve: fields.pool_state,
      launchpad: launchpadOf(accounts[creation.platform]),
      quote: quoteKind(accounts[creation.quote]),
      stage: 'curve',
    },
  };
}

function traded(
  fields: FieldsOf<typeof launchLabEvents, 'TradeEvent'>,
  { mint, payer, accounts }: { mint: string; payer: string; accounts: readonly string[] },
  { at, receivedAt, cluster }: CallContext,
): Omit<TradeObservation, 'chain'> | 'impossible' | 'too-large' {
  const isBuy = fields.trade_direction === 0;
  if (isBuy !== fields.real_quote_after >= fields.real_quote_before) return 'impossible';
  const amounts = exact({
    // The curve's own amounts, so without fees.
    quote: difference(fields.real_quote_after, fields.real_quote_before),
    token: difference(fields.real_base_after, fields.real_base_before),
  });
  // A buy takes tokens out of the curve, a sale brings them back; a curve that is not of constant product has no such reserves.
  const reserves = exact({
    virtualQuote: fields.virtual_quote + fields.real_quote_after,
    virtualToken: fields.virtual_base - fields.real_base_after,
    realQuote: fields.real_quote_after,
    realToken: fields.total_base_sell - fields.real_base_after,
  });
  if (amounts === null || reserves === null) return 'too-large';
  if (reserves.virtualToken <= 0 || reserves.realToken < 0) return 'impossible';
  return {
    kind: 'trade',
    source,
    at,
    receivedAt,
    address: mint,
    side: isBuy ? 'buy' : 'sell',
    wallet: payer,
    quote: quoteKind(accounts[trading.quote]),
    quoteAmount: amounts.quote,
    tokenAmount: amounts.token,
    reserves,
    creator: null,
    launchpad: launchpadOf(accounts[trading.platform]),
    cluster,
    venue: 'curve',
  };
}

const difference = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a);
