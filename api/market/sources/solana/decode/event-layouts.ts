/**
 * Layouts of pump.fun's events: names, order and types as in the published IDL
 * (github pump-fun/pump-public-docs @1b82215, `idl/pump.json`). Fields have only ever been appended, so all versions share
 * their beginning: `required` fields are necessary, `appended` ones came with newer programs.
 * Integers are little-endian, strings carry a u32 length, `shareholders` is a u32 count of `{ address, share_bps }`.
 */
export const pumpEvents = {
  CreateEvent: {
    discriminator: '1b72a94ddeeb6376',
    required: [
      ['name', 'string'],
      ['symbol', 'string'],
      ['uri', 'string'],
      ['mint', 'pubkey'],
      ['bonding_curve', 'pubkey'],
      ['user', 'pubkey'],
      ['creator', 'pubkey'],
      ['timestamp', 'i64'],
      ['virtual_token_reserves', 'u64'],
      ['virtual_sol_reserves', 'u64'],
      ['real_token_reserves', 'u64'],
      ['token_total_supply', 'u64'],
    ],
    appended: [
      ['token_program', 'pubkey'],
      ['is_mayhem_mode', 'bool'],
      ['is_cashback_enabled', 'bool'],
      ['quote_mint', 'pubkey'],
      ['virtual_quote_reserves', 'u64'],
    ],
  },
  TradeEvent: {
    discriminator: 'bddb7fd34ee661ee',
    required: [
      ['mint', 'pubkey'],
      ['sol_amount', 'u64'],
      ['token_amount', 'u64'],
      ['is_buy', 'bool'],
      ['user', 'pubkey'],
      ['timestamp', 'i64'],
      ['virtual_sol_reserves', 'u64'],
      ['virtual_token_reserves', 'u64'],
      ['real_sol_reserves', 'u64'],
      ['real_token_reserves', 'u64'],
    ],
    appended: [
      ['fee_recipient', 'pubkey'],
      ['fee_basis_points', 'u64'],
      ['fee', 'u64'],
      ['creator', 'pubkey'],
      ['creator_fee_basis_points', 'u64'],
      ['creator_fee', 'u64'],
      ['track_volume', 'bool'],
      ['total_unclaimed_tokens', 'u64'],
      ['total_claimed_tokens', 'u64'],
      ['current_sol_volume', 'u64'],
      ['last_update_timestamp', 'i64'],
      ['ix_name', 'string'],
      ['mayhem_mode', 'bool'],
      ['cashback_fee_basis_points', 'u64'],
      ['cashback', 'u64'],
      ['buyback_fee_basis_points', 'u64'],
      ['buyback_fee', 'u64'],
      ['shareholders', 'shareholders'],
      ['quote_mint', 'pubkey'],
      ['quote_amount', 'u64'],
      ['virtual_quote_reserves', 'u64'],
      ['real_quote_reserves', 'u64'],
    ],
  },
  CompleteEvent: {
    discriminator: '5f72619cd42e9808',
    required: [
      ['user', 'pubkey'],
      ['mint', 'pubkey'],
      ['bonding_curve', 'pubkey'],
      ['timestamp', 'i64'],
    ],
    appended: [['quote_mint', 'pubkey']],
  },
  CompletePumpAmmMigrationEvent: {
    discriminator: 'bde95db95c94ea94',
    required: [
      ['user', 'pubkey'],
      ['mint', 'pubkey'],
      ['mint_amount', 'u64'],
      ['sol_amount', 'u64'],
      ['pool_migration_fee', 'u64'],
      ['bonding_curve', 'pubkey'],
      ['timestamp', 'i64'],
      ['pool', 'pubkey'],
    ],
    appended: [['quote_mint', 'pubkey']],
  },
} as const satisfies Record<string, Layout>;

export type PumpEventName = keyof typeof pumpEvents;

export interface Layout {
  /** First eight bytes, hex: sha256 of `event:<name>`, as Anchor programs write it. */
  discriminator: string;
  required: readonly Field[];
  appended: readonly Field[];
}
export type Field = readonly [name: string, type: keyof FieldTypes];

/** TypeScript types of the fields. Amounts stay bigint until checked to fit a number. */
export interface FieldTypes {
  /** base58 */
  pubkey: string;
  u64: bigint;
  i64: bigint;
  bool: boolean;
  string: string;
  shareholders: Shareholder[];
}

export interface Shareholder {
  address: string;
  /** Basis points of the creator fee. */
  share_bps: number;
}

type Values<Fields extends readonly Field[]> = { [F in Fields[number] as F[0]]: FieldTypes[F[1]] };
export type FieldsOf<Name extends PumpEventName> = Values<(typeof pumpEvents)[Name]['required']> &
  Partial<Values<(typeof pumpEvents)[Name]['appended']>>;

/** A decoded event. */
export type PumpEvent = { [Name in PumpEventName]: { name: Name; fields: FieldsOf<Name> } }[PumpEventName];
