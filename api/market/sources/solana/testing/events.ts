import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { PumpEvent, PumpFields, pumpEvents } from '../decode/pump-events.ts';
import { noAddress } from '../programs.ts';

/** Returns the text of a file in `fixtures`. */
export function fixture(name: string): string {
  return readFileSync(path.join(import.meta.dirname, '../fixtures', name), 'utf8');
}

/** One line of the shipped recording's expected events. */
export interface ExpectedEvent {
  slot: number;
  signature: string;
  program_data: string;
  event: string;
  fields: Record<string, string | number | boolean | unknown[]>;
}

const recordings = path.join(import.meta.dirname, '../../../recordings');
export const recordingFile = path.join(recordings, 'pump-mainnet-2026-07-04.jsonl');

/** Returns the events of the shipped recording, decoded by independent software. */
export function expectedEvents(): ExpectedEvent[] {
  return lines(path.join(recordings, 'pump-mainnet-2026-07-04.expected.jsonl'));
}

/** Returns the frames of the shipped recording. */
export function recordedFrames(): { t_wall: number; raw: string }[] {
  return lines(recordingFile);
}

function lines<Line>(file: string): Line[] {
  const texts = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return texts.map((line): Line => JSON.parse(line));
}

export const someMint = '6gbFk1RxAsN3VMw4WUTKvhi2QXsGDBqYCKGrY4umpump';
const someWallet = 'CZ5H8Fiuf6HCLQXeNuZio9yU63d2un6Nu5PnrD1YwnR8';

/** Returns a buy of 1.5 SOL; tests override the fields that matter. */
export function tradeEvent(fields: Partial<PumpFields<'TradeEvent'>> = {}): Extract<PumpEvent, { name: 'TradeEvent' }> {
  return {
    name: 'TradeEvent',
    fields: {
      mint: someMint,
      sol_amount: 1_500_000_000n,
      token_amount: 51_095_238_095_238n,
      is_buy: true,
      user: someWallet,
      timestamp: 1_783_165_099n,
      virtual_sol_reserves: 31_500_000_000n,
      virtual_token_reserves: 1_021_904_761_904_762n,
      real_sol_reserves: 1_500_000_000n,
      real_token_reserves: 742_004_761_904_762n,
      ...fields,
    },
  };
}

type AppendedOf<Name extends 'CreateEvent' | 'TradeEvent'> = {
  [Key in Extract<(typeof pumpEvents)[Name]['appended'][number][0], keyof PumpFields<Name>>]-?: NonNullable<
    PumpFields<Name>[Key]
  >;
};

/** Fields that newer programs append to a trade. */
export const appendedTradeFields: AppendedOf<'TradeEvent'> = {
  fee_recipient: someWallet,
  fee_basis_points: 95n,
  fee: 14_250_000n,
  creator: someWallet,
  creator_fee_basis_points: 30n,
  creator_fee: 4_500_000n,
  track_volume: true,
  total_unclaimed_tokens: 0n,
  total_claimed_tokens: 0n,
  current_sol_volume: 0n,
  last_update_timestamp: 0n,
  ix_name: 'buy',
  mayhem_mode: false,
  cashback_fee_basis_points: 0n,
  cashback: 0n,
  buyback_fee_basis_points: 5_000n,
  buyback_fee: 7_125_000n,
  shareholders: [{ address: someWallet, share_bps: 10_000 }],
  quote_mint: noAddress,
  quote_amount: 1_500_000_000n,
  virtual_quote_reserves: 31_500_000_000n,
  real_quote_reserves: 1_500_000_000n,
};

/** Fields that newer programs append to a creation. */
export const appendedCreateFields: AppendedOf<'CreateEvent'> = {
  token_program: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  is_mayhem_mode: false,
  is_cashback_enabled: true,
  quote_mint: noAddress,
  virtual_quote_reserves: 30_000_000_000n,
};

export function createEvent(fields: Partial<PumpFields<'CreateEvent'>> = {}): PumpEvent {
  return {
    name: 'CreateEvent',
    fields: {
      name: 'Some Coin',
      symbol: 'SOME',
      uri: 'https://example.com/some.json',
      mint: someMint,
      bonding_curve: '8i4SjUsjpj16zD8MLWFi4PMZq9XQpPJG3tTYXr7xoL4o',
      user: someWallet,
      creator: someWallet,
      timestamp: 1_783_165_099n,
      virtual_token_reserves: 1_073_000_000_000_000n,
      virtual_sol_reserves: 30_000_000_000n,
      real_token_reserves: 793_100_000_000_000n,
      token_total_supply: 1_000_000_000_000_000n,
      ...fields,
    },
  };
}

export function completeEvent(fields: Partial<PumpFields<'CompleteEvent'>> = {}): PumpEvent {
  return {
    name: 'CompleteEvent',
    fields: { user: someWallet, mint: someMint, bonding_curve: someWallet, timestamp: 1_783_165_099n, ...fields },
  };
}

export const somePool = 'Ht9zeVq2X7xCiUR1Y2dgVudkyvuXmNs3Q2cXU3is6emp';

export function migrationEvent(fields: Partial<PumpFields<'CompletePumpAmmMigrationEvent'>> = {}): PumpEvent {
  return {
    name: 'CompletePumpAmmMigrationEvent',
    fields: {
      user: someWallet,
      mint: someMint,
      mint_amount: 206_900_000_000_000n,
      sol_amount: 84_990_359_057n,
      pool_migration_fee: 15_000_001n,
      bonding_curve: '8i4SjUsjpj16zD8MLWFi4PMZq9XQpPJG3tTYXr7xoL4o',
      timestamp: 1_783_165_200n,
      pool: somePool,
      ...fields,
    },
  };
}
