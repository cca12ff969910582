import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type PumpEvent, type PumpFields, pumpEvents } from '../decode/pump-events.ts';
import { zeros } from './encode.ts';

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

/** Fields that newer programs append to a trade. */
export const appendedTradeFields = {
  ...zeros(pumpEvents.TradeEvent.appended),
  creator: someWallet,
  track_volume: true,
  ix_name: 'buy',
  shareholders: [{ address: someWallet, share_bps: 10_000 }],
  quote_amount: 1_500_000_000n,
  virtual_quote_reserves: 31_500_000_000n,
  real_quote_reserves: 1_500_000_000n,
};

/** Fields that newer programs append to a creation. */
export const appendedCreateFields = {
  ...zeros(pumpEvents.CreateEvent.appended),
  is_cashback_enabled: true,
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
