import { PublicKey } from '@solana/web3.js';
import { type PumpSwapEvent, type PumpSwapFields, pumpSwapAccounts } from '../decode/pump-swap-events.ts';
import { poolAuthorityOf, wrappedSol } from '../programs.ts';
import { encodeBy } from './encode.ts';
import { fixture, someMint, somePool } from './events.ts';

/** One line of the recorded pool events. */
export interface RecordedPoolEvent {
  event: string;
  /** Address of the program that emitted it. */
  program: string;
  /** base64 */
  program_data: string;
  /** Values known independently of the decoder. */
  fields: Record<string, string | number | boolean>;
}

/** Returns the recorded events of PumpSwap, and a migration into it. */
export function recordedPoolEvents(): RecordedPoolEvent[] {
  const lines = fixture('pool-events.jsonl').split('\n').filter(Boolean);
  return lines.map((line): RecordedPoolEvent => JSON.parse(line));
}

export const poolWallet = 'CZ5H8Fiuf6HCLQXeNuZio9yU63d2un6Nu5PnrD1YwnR8';
const account = PublicKey.default.toBase58();
const accounts = {
  pool: somePool,
  user: poolWallet,
  user_base_token_account: account,
  user_quote_token_account: account,
};
const feeAccounts = { protocol_fee_recipient: account, protocol_fee_recipient_token_account: account };
const before = {
  timestamp: 1_783_165_300n,
  user_base_token_reserves: 0n,
  user_quote_token_reserves: 0n,
  pool_base_token_reserves: 206_900_000_000_000n,
  pool_quote_token_reserves: 84_990_359_301n,
};
const fees = { lp_fee_basis_points: 20n, protocol_fee_basis_points: 5n };

/** Returns a buy of 1 SOL in the pool of `someMint`; tests override the fields that matter. */
export function poolBuy(fields: Partial<PumpSwapFields<'BuyEvent'>> = {}): PumpSwapEvent {
  const defaults = {
    ...before,
    ...fees,
    ...accounts,
    ...feeAccounts,
    base_amount_out: 2_406_000_000_000n,
    max_quote_amount_in: 1_100_000_000n,
    quote_amount_in: 1_000_000_000n,
    lp_fee: 2_000_000n,
    protocol_fee: 500_000n,
    quote_amount_in_with_lp_fee: 1_002_000_000n,
    user_quote_amount_in: 1_002_500_000n,
  };
  return { name: 'BuyEvent', fields: { ...defaults, ...fields } };
}

/** Returns a sale for 1 SOL. */
export function poolSell(fields: Partial<PumpSwapFields<'SellEvent'>> = {}): PumpSwapEvent {
  const defaults = {
    ...before,
    ...fees,
    ...accounts,
    ...feeAccounts,
    base_amount_in: 2_463_400_000_000n,
    min_quote_amount_out: 0n,
    quote_amount_out: 1_000_000_000n,
    lp_fee: 2_000_000n,
    protocol_fee: 500_000n,
    quote_amount_out_without_lp_fee: 998_000_000n,
    user_quote_amount_out: 997_500_000n,
  };
  return { name: 'SellEvent', fields: { ...defaults, ...fields } };
}

/** Returns the creation of the main pool of `someMint`. */
export function poolCreation(fields: Partial<PumpSwapFields<'CreatePoolEvent'>> = {}): PumpSwapEvent {
  const amounts = { base: 206_900_000_000_000n, quote: 84_990_359_301n };
  const defaults = {
    timestamp: 1_783_165_200n,
    index: 0,
    creator: poolAuthorityOf(fields.base_mint ?? someMint),
    base_mint: someMint,
    quote_mint: wrappedSol,
    base_mint_decimals: 6,
    quote_mint_decimals: 9,
    base_amount_in: amounts.base,
    quote_amount_in: amounts.quote,
    pool_base_amount: amounts.base,
    pool_quote_amount: amounts.quote,
    minimum_liquidity: 100n,
    initial_liquidity: 4_193_388_229_876n,
    lp_token_amount_out: 4_193_388_229_776n,
    pool_bump: 255,
    pool: somePool,
    lp_mint: account,
    user_base_token_account: account,
    user_quote_token_account: account,
  };
  return { name: 'CreatePoolEvent', fields: { ...defaults, ...fields } };
}

const share = { base: 20_690_000_000_000n, quote: 8_499_035_930n };

/** Returns a withdrawal of a tenth of the pool. */
export function poolWithdrawal(fields: Partial<PumpSwapFields<'WithdrawEvent'>> = {}): PumpSwapEvent {
  const defaults = {
    ...before,
    ...accounts,
    lp_token_amount_in: 1n,
    min_base_amount_out: 0n,
    min_quote_amount_out: 0n,
    base_amount_out: share.base,
    quote_amount_out: share.quote,
    lp_mint_supply: 10n,
    user_pool_token_account: account,
  };
  return { name: 'WithdrawEvent', fields: { ...defaults, ...fields } };
}

/** Returns a deposit of a tenth of the pool. */
export function poolDeposit(fields: Partial<PumpSwapFields<'DepositEvent'>> = {}): PumpSwapEvent {
  const defaults = {
    ...before,
    ...accounts,
    lp_token_amount_out: 1n,
    max_base_amount_in: share.base,
    max_quote_amount_in: share.quote,
    base_amount_in: share.base,
    quote_amount_in: share.quote,
    lp_mint_supply: 10n,
    user_pool_token_account: account,
  };
  return { name: 'DepositEvent', fields: { ...defaults, ...fields } };
}

/** Returns a purchase with the pool's own quote whose tokens are burned. */
export function poolBurn(fields: Partial<PumpSwapFields<'BoostBuyAndBurnEvent'>> = {}): PumpSwapEvent {
  const defaults = {
    timestamp: before.timestamp,
    mint: someMint,
    bonding_curve: account,
    pool: somePool,
    authority: account,
    quote_amount_in_requested: 1_000_000_000n,
    quote_amount_in_used: 1_000_000_000n,
    base_amount_burned: 2_406_000_000_000n,
    virtual_quote_reserves: 16_000_000_000n,
    real_quote_reserves_after: 84_990_359_301n,
    base_reserves_after: 204_494_000_000_000n,
    boost_vault_remaining: 0n,
  };
  return { name: 'BoostBuyAndBurnEvent', fields: { ...defaults, ...fields } };
}

/** Returns the account of the pool with this creator, as long as a live one. */
export function poolAccount({ creator }: { creator: string }): Buffer {
  const fields = {
    pool_bump: 254,
    index: 0,
    creator,
    base_mint: someMint,
    quote_mint: wrappedSol,
    lp_mint: account,
    pool_base_token_account: account,
    pool_quote_token_account: account,
    lp_supply: 1n,
  };
  return Buffer.concat([encodeBy(pumpSwapAccounts, { name: 'Pool', fields }), Buffer.alloc(90)]);
}
