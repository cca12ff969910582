import type { EventOf, FieldsOf, Layouts } from './layout.ts';

/**
 * Layouts of pump.fun's events: names, order and types as in the published IDL
 * (github pump-fun/pump-public-docs @1b82215, `idl/pump.json`).
 *
 * DistributeCreatorFeesEvent (a537817004b3ca28) is not read: its published layouts differ in the fields before the shareholders, no
 * recorded event shows which one is live, and an account that receives a share neither launched the coin nor signed anything.
 */
export const pumpEvents = {
  CreateEvent: {
    discriminator: '1b72a94ddeeb6376',
    required: {
      name: 'string',
      symbol: 'string',
      uri: 'string',
      mint: 'pubkey',
      bonding_curve: 'pubkey',
      user: 'pubkey',
      creator: 'pubkey',
      timestamp: 'i64',
      virtual_token_reserves: 'u64',
      virtual_sol_reserves: 'u64',
      real_token_reserves: 'u64',
      token_total_supply: 'u64',
    },
    appended: {
      token_program: 'pubkey',
      is_mayhem_mode: 'bool',
      is_cashback_enabled: 'bool',
      quote_mint: 'pubkey',
      virtual_quote_reserves: 'u64',
    },
  },
  TradeEvent: {
    discriminator: 'bddb7fd34ee661ee',
    required: {
      mint: 'pubkey',
      sol_amount: 'u64',
      token_amount: 'u64',
      is_buy: 'bool',
      user: 'pubkey',
      timestamp: 'i64',
      virtual_sol_reserves: 'u64',
      virtual_token_reserves: 'u64',
      real_sol_reserves: 'u64',
      real_token_reserves: 'u64',
    },
    appended: {
      fee_recipient: 'pubkey',
      fee_basis_points: 'u64',
      fee: 'u64',
      creator: 'pubkey',
      creator_fee_basis_points: 'u64',
      creator_fee: 'u64',
      track_volume: 'bool',
      total_unclaimed_tokens: 'u64',
      total_claimed_tokens: 'u64',
      current_sol_volume: 'u64',
      last_update_timestamp: 'i64',
      ix_name: 'string',
      mayhem_mode: 'bool',
      cashback_fee_basis_points: 'u64',
      cashback: 'u64',
      buyback_fee_basis_points: 'u64',
      buyback_fee: 'u64',
      // Shares of the creator fee in basis points.
      shareholders: { list: { address: 'pubkey', share_bps: 'u16' } },
      quote_mint: 'pubkey',
      quote_amount: 'u64',
      virtual_quote_reserves: 'u64',
      real_quote_reserves: 'u64',
    },
  },
  CompleteEvent: {
    discriminator: '5f72619cd42e9808',
    required: {
      user: 'pubkey',
      mint: 'pubkey',
      bonding_curve: 'pubkey',
      timestamp: 'i64',
    },
    appended: { quote_mint: 'pubkey' },
  },
  CompletePumpAmmMigrationEvent: {
    discriminator: 'bde95db95c94ea94',
    required: {
      user: 'pubkey',
      mint: 'pubkey',
      mint_amount: 'u64',
      sol_amount: 'u64',
      pool_migration_fee: 'u64',
      bonding_curve: 'pubkey',
      timestamp: 'i64',
      pool: 'pubkey',
    },
    appended: { quote_mint: 'pubkey' },
  },
  // Changes the reserves of a coin in mayhem mode without a trade. The curve has the new virtual and the real reserves.
  UpdateMayhemVirtualParamsEvent: {
    discriminator: '757be4b6a1a8dcd6',
    required: {
      timestamp: 'i64',
      mint: 'pubkey',
      virtual_token_reserves: 'u64',
      virtual_sol_reserves: 'u64',
      new_virtual_token_reserves: 'u64',
      new_virtual_sol_reserves: 'u64',
      real_token_reserves: 'u64',
      real_sol_reserves: 'u64',
    },
  },
  SetCreatorEvent: {
    discriminator: 'ed347b25f5fb48d2',
    required: {
      timestamp: 'i64',
      mint: 'pubkey',
      bonding_curve: 'pubkey',
      creator: 'pubkey',
    },
  },
  AdminSetCreatorEvent: {
    discriminator: '4045c0681d1e196b',
    required: {
      timestamp: 'i64',
      admin_set_creator_authority: 'pubkey',
      mint: 'pubkey',
      bonding_curve: 'pubkey',
      old_creator: 'pubkey',
      new_creator: 'pubkey',
    },
  },
  // The creator becomes the account that shares the fees out.
  MigrateBondingCurveCreatorEvent: {
    discriminator: '9ba768dcd56cf303',
    required: {
      timestamp: 'i64',
      mint: 'pubkey',
      bonding_curve: 'pubkey',
      sharing_config: 'pubkey',
      old_creator: 'pubkey',
      new_creator: 'pubkey',
    },
  },
} as const satisfies Layouts;

/** A decoded event of pump.fun, and the fields of one. */
export type PumpEvent = EventOf<typeof pumpEvents>;
export type PumpFields<Name extends keyof typeof pumpEvents> = FieldsOf<typeof pumpEvents, Name>;
