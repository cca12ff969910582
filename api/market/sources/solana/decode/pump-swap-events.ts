import type { EventOf, Fields, FieldsOf, Layouts } from './layout.ts';

/** Fields that a buy and a sell begin with after their own amounts. */
const tradeAccounts = {
  pool: 'pubkey',
  user: 'pubkey',
  user_base_token_account: 'pubkey',
  user_quote_token_account: 'pubkey',
  protocol_fee_recipient: 'pubkey',
  protocol_fee_recipient_token_account: 'pubkey',
} as const satisfies Fields;
const creatorFee = {
  coin_creator: 'pubkey',
  coin_creator_fee_basis_points: 'u64',
  coin_creator_fee: 'u64',
} as const satisfies Fields;
const feesAndBoost = {
  cashback_fee_basis_points: 'u64',
  cashback: 'u64',
  buyback_fee_basis_points: 'u64',
  buyback_fee: 'u64',
  // Since July 2026.
  virtual_quote_reserves: 'i128',
  can_boost: 'bool',
  base_supply: 'u64',
} as const satisfies Fields;
/** Fields that a deposit and a withdrawal end with. */
const liquidityAccounts = {
  lp_mint_supply: 'u64',
  pool: 'pubkey',
  user: 'pubkey',
  user_base_token_account: 'pubkey',
  user_quote_token_account: 'pubkey',
  user_pool_token_account: 'pubkey',
} as const satisfies Fields;

/**
 * Layouts of PumpSwap's events: names, order and types as in the published IDL (github pump-fun/pump-public-docs @1b82215,
 * `idl/pump_amm.json`, and the newer one of chainstacklabs/pumpfun-bonkfun-bot @9a3f2c0). The reserves are those before the
 * trade, deposit or withdrawal, checked to the unit on five recorded trades.
 */
export const pumpSwapEvents = {
  BuyEvent: {
    discriminator: '67f4521f2cf57777',
    required: {
      timestamp: 'i64',
      base_amount_out: 'u64',
      max_quote_amount_in: 'u64',
      user_base_token_reserves: 'u64',
      user_quote_token_reserves: 'u64',
      pool_base_token_reserves: 'u64',
      pool_quote_token_reserves: 'u64',
      quote_amount_in: 'u64',
      lp_fee_basis_points: 'u64',
      lp_fee: 'u64',
      protocol_fee_basis_points: 'u64',
      protocol_fee: 'u64',
      quote_amount_in_with_lp_fee: 'u64',
      user_quote_amount_in: 'u64',
      ...tradeAccounts,
    },
    appended: {
      ...creatorFee,
      track_volume: 'bool',
      total_unclaimed_tokens: 'u64',
      total_claimed_tokens: 'u64',
      current_sol_volume: 'u64',
      last_update_timestamp: 'i64',
      min_base_amount_out: 'u64',
      ix_name: 'string',
      ...feesAndBoost,
    },
  },
  SellEvent: {
    discriminator: '3e2f370aa503dc2a',
    required: {
      timestamp: 'i64',
      base_amount_in: 'u64',
      min_quote_amount_out: 'u64',
      user_base_token_reserves: 'u64',
      user_quote_token_reserves: 'u64',
      pool_base_token_reserves: 'u64',
      pool_quote_token_reserves: 'u64',
      quote_amount_out: 'u64',
      lp_fee_basis_points: 'u64',
      lp_fee: 'u64',
      protocol_fee_basis_points: 'u64',
      protocol_fee: 'u64',
      quote_amount_out_without_lp_fee: 'u64',
      user_quote_amount_out: 'u64',
      ...tradeAccounts,
    },
    appended: { ...creatorFee, ...feesAndBoost },
  },
  CreatePoolEvent: {
    discriminator: 'b1310cd2a076a774',
    required: {
      timestamp: 'i64',
      index: 'u16',
      creator: 'pubkey',
      base_mint: 'pubkey',
      quote_mint: 'pubkey',
      base_mint_decimals: 'u8',
      quote_mint_decimals: 'u8',
      base_amount_in: 'u64',
      quote_amount_in: 'u64',
      pool_base_amount: 'u64',
      pool_quote_amount: 'u64',
      minimum_liquidity: 'u64',
      initial_liquidity: 'u64',
      lp_token_amount_out: 'u64',
      pool_bump: 'u8',
      pool: 'pubkey',
      lp_mint: 'pubkey',
      user_base_token_account: 'pubkey',
      user_quote_token_account: 'pubkey',
    },
    appended: {
      coin_creator: 'pubkey',
      is_mayhem_mode: 'bool',
    },
  },
  DepositEvent: {
    discriminator: '78f83d531f8e6b90',
    required: {
      timestamp: 'i64',
      lp_token_amount_out: 'u64',
      max_base_amount_in: 'u64',
      max_quote_amount_in: 'u64',
      user_base_token_reserves: 'u64',
      user_quote_token_reserves: 'u64',
      pool_base_token_reserves: 'u64',
      pool_quote_token_reserves: 'u64',
      base_amount_in: 'u64',
      quote_amount_in: 'u64',
      ...liquidityAccounts,
    },
  },
  WithdrawEvent: {
    discriminator: '1609851aa02c47c0',
    required: {
      timestamp: 'i64',
      lp_token_amount_in: 'u64',
      min_base_amount_out: 'u64',
      min_quote_amount_out: 'u64',
      user_base_token_reserves: 'u64',
      user_quote_token_reserves: 'u64',
      pool_base_token_reserves: 'u64',
      pool_quote_token_reserves: 'u64',
      base_amount_out: 'u64',
      quote_amount_out: 'u64',
      ...liquidityAccounts,
    },
  },
  InitBoostEvent: {
    discriminator: 'ae7c4af90451f611',
    required: {
      timestamp: 'i64',
      mint: 'pubkey',
      bonding_curve: 'pubkey',
      pool: 'pubkey',
      virtual_quote_reserves: 'i128',
      real_quote_reserves_after: 'u64',
    },
  },
  // Buys the coin with the pool's own quote and burns it: the supply shrinks.
  BoostBuyAndBurnEvent: {
    discriminator: '3f451c16305cc2b9',
    required: {
      timestamp: 'i64',
      mint: 'pubkey',
      bonding_curve: 'pubkey',
      pool: 'pubkey',
      authority: 'pubkey',
      quote_amount_in_requested: 'u64',
      quote_amount_in_used: 'u64',
      base_amount_burned: 'u64',
      virtual_quote_reserves: 'i128',
      real_quote_reserves_after: 'u64',
      base_reserves_after: 'u64',
      boost_vault_remaining: 'u64',
    },
  },
} as const satisfies Layouts;

/** Layout of a pool's account. */
export const pumpSwapAccounts = {
  Pool: {
    discriminator: 'f19a6d0411b16dbc',
    required: {
      pool_bump: 'u8',
      index: 'u16',
      creator: 'pubkey',
      base_mint: 'pubkey',
      quote_mint: 'pubkey',
      lp_mint: 'pubkey',
      pool_base_token_account: 'pubkey',
      pool_quote_token_account: 'pubkey',
      lp_supply: 'u64',
    },
  },
} as const satisfies Layouts;

/** A decoded event of PumpSwap, and the fields of one. */
export type PumpSwapEvent = EventOf<typeof pumpSwapEvents>;
export type PumpSwapFields<Name extends keyof typeof pumpSwapEvents> = FieldsOf<typeof pumpSwapEvents, Name>;
