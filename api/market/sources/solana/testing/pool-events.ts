import {
  type PumpSwapEvent,
  type PumpSwapFields,
  pumpSwapAccounts,
  pumpSwapEvents,
} from '../decode/pump-swap-events.ts';
import { poolAuthorityOf, wrappedSol } from '../programs.ts';
import { encodeBy, zeros } from './encode.ts';
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
const { BuyEvent, SellEvent, CreatePoolEvent, WithdrawEvent, DepositEvent, BoostBuyAndBurnEvent } = pumpSwapEvents;
const before = {
  timestamp: 1_783_165_300n,
  pool_base_token_reserves: 206_900_000_000_000n,
  pool_quote_token_reserves: 84_990_359_301n,
  pool: somePool,
  user: poolWallet,
};

/** Returns a buy of 1 SOL in the pool of `someMint`; tests override the fields that matter. */
export function poolBuy(fields: Partial<PumpSwapFields<'BuyEvent'>> = {}): PumpSwapEvent {
  const amounts = {
    base_amount_out: 2_406_000_000_000n,
    quote_amount_in: 1_000_000_000n,
    quote_amount_in_with_lp_fee: 1_002_000_000n,
  };
  return { name: 'BuyEvent', fields: { ...zeros(BuyEvent.required), ...before, ...amounts, ...fields } };
}

/** Returns a sale for 1 SOL. */
export function poolSell(fields: Partial<PumpSwapFields<'SellEvent'>> = {}): PumpSwapEvent {
  const amounts = {
    base_amount_in: 2_463_400_000_000n,
    quote_amount_out: 1_000_000_000n,
    quote_amount_out_without_lp_fee: 998_000_000n,
  };
  return { name: 'SellEvent', fields: { ...zeros(SellEvent.required), ...before, ...amounts, ...fields } };
}

/** Returns the creation of the main pool of `someMint`. */
export function poolCreation(fields: Partial<PumpSwapFields<'CreatePoolEvent'>> = {}): PumpSwapEvent {
  const defaults = {
    timestamp: 1_783_165_200n,
    creator: poolAuthorityOf(fields.base_mint ?? someMint),
    base_mint: someMint,
    quote_mint: wrappedSol,
    pool_base_amount: before.pool_base_token_reserves,
    pool_quote_amount: before.pool_quote_token_reserves,
    pool: somePool,
  };
  return { name: 'CreatePoolEvent', fields: { ...zeros(CreatePoolEvent.required), ...defaults, ...fields } };
}

const share = { base: 20_690_000_000_000n, quote: 8_499_035_930n };

/** Returns a withdrawal of a tenth of the pool. */
export function poolWithdrawal(fields: Partial<PumpSwapFields<'WithdrawEvent'>> = {}): PumpSwapEvent {
  const amounts = { base_amount_out: share.base, quote_amount_out: share.quote };
  return { name: 'WithdrawEvent', fields: { ...zeros(WithdrawEvent.required), ...before, ...amounts, ...fields } };
}

/** Returns a deposit of a tenth of the pool. */
export function poolDeposit(fields: Partial<PumpSwapFields<'DepositEvent'>> = {}): PumpSwapEvent {
  const amounts = { base_amount_in: share.base, quote_amount_in: share.quote };
  return { name: 'DepositEvent', fields: { ...zeros(DepositEvent.required), ...before, ...amounts, ...fields } };
}

/** Returns a purchase with the pool's own quote whose tokens are burned. */
export function poolBurn(fields: Partial<PumpSwapFields<'BoostBuyAndBurnEvent'>> = {}): PumpSwapEvent {
  const defaults = {
    timestamp: before.timestamp,
    mint: someMint,
    pool: somePool,
    base_amount_burned: 2_406_000_000_000n,
    virtual_quote_reserves: 16_000_000_000n,
    real_quote_reserves_after: 84_990_359_301n,
    base_reserves_after: 204_494_000_000_000n,
  };
  return { name: 'BoostBuyAndBurnEvent', fields: { ...zeros(BoostBuyAndBurnEvent.required), ...defaults, ...fields } };
}

/** Returns the account of the pool with this creator, as long as a live one. */
export function poolAccount({ creator }: { creator: string }): Buffer {
  const mints = { creator, base_mint: someMint, quote_mint: wrappedSol };
  const fields = { ...zeros(pumpSwapAccounts.Pool.required), ...mints };
  return Buffer.concat([encodeBy(pumpSwapAccounts, { name: 'Pool', fields }), Buffer.alloc(90)]);
}
