import bs58 from 'bs58';
import { type MeteoraDbcEvent, meteoraDbcEvents, meteoraDbcInstructions } from '../decode/meteora-dbc.ts';
import type { FetchedTransaction } from '../decode/program-events.ts';
import type { Launchpad } from '../decode/protocol.ts';
import { noAddress, wrappedSol } from '../programs.ts';
import { encodeBy, zeros } from './encode.ts';
import { someMint, somePool } from './events.ts';

/** Block time of the transactions, epoch ms. */
export const blockTime = 1_785_400_000_000;
export const someTrader = 'CZ5H8Fiuf6HCLQXeNuZio9yU63d2un6Nu5PnrD1YwnR8';
const selfInvoke = Buffer.from('e445a52e51cb9a1d', 'hex');

/** Returns a transaction in which a router calls the launchpad once, with these events. */
export function callOf(
  { program }: Pick<Launchpad, 'program'>,
  { accounts, data = Buffer.alloc(8) }: { accounts: string[]; data?: Buffer },
  events: readonly Buffer[],
): FetchedTransaction {
  const own = (bytes: Buffer) => ({ programId: program, accounts: [noAddress], data: bs58.encode(bytes) });
  const call = { programId: program, accounts, data: bs58.encode(data) };
  const inner = events.map((event) => own(Buffer.concat([selfInvoke, event])));
  return {
    slot: 7,
    blockTime: blockTime / 1_000,
    transaction: { message: { instructions: [{ programId: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' }] } },
    meta: {
      err: null,
      innerInstructions: [{ index: 0, instructions: [call, ...inner] }],
      postTokenBalances: [{ mint: someMint, uiTokenAmount: { decimals: 9 } }],
    },
  };
}

/** Returns accounts with these at their positions. */
export function accountsOf(positions: Record<number, string>): string[] {
  return Array.from({ length: 18 }, (_, index) => positions[index] ?? noAddress);
}

/** Accounts of a trade on Meteora's curve. */
export const meteoraAccounts = accountsOf({ 7: someMint, 8: wrappedSol, 9: someTrader });

export type MeteoraSwap = Extract<MeteoraDbcEvent, { name: 'EvtSwap2' }>['fields'];

/** Returns the bytes of a buy of 1 SOL on Meteora's curve; tests override the fields that matter. */
export function meteoraSwap(
  fields: Partial<MeteoraSwap> = {},
  result: Partial<MeteoraSwap['swap_result']> = {},
): Buffer {
  const zero = zeros(meteoraDbcEvents.EvtSwap2.required);
  return encodeBy(meteoraDbcEvents, {
    name: 'EvtSwap2',
    fields: {
      ...zero,
      trade_direction: 1,
      swap_result: {
        ...zero.swap_result,
        included_fee_input_amount: 1_010_000_000n,
        excluded_fee_input_amount: 1_000_000_000n,
        output_amount: 35_000_000_000_000n,
        // The square root of 3 * 10^-5 lamports for a base unit.
        next_sqrt_price: BigInt(Math.round(Math.sqrt(3e-5) * 2 ** 64)),
        ...result,
      },
      quote_reserve_amount: 21_250_000_000n,
      migration_threshold: 85_000_000_000n,
      ...fields,
    },
  });
}

/** Returns the arguments of a creation on Meteora's curve, and its event. */
export function meteoraCreation(): { data: Buffer; event: Buffer } {
  const data = encodeBy(meteoraDbcInstructions, {
    name: 'InitializeWithSplToken',
    fields: { name: 'Some Coin', symbol: 'SOME', uri: 'https://example.com/some.json' },
  });
  const keys = { pool: somePool, config: noAddress, creator: someTrader, base_mint: someMint };
  const event = encodeBy(meteoraDbcEvents, {
    name: 'EvtInitializePool',
    fields: { ...keys, pool_type: 0, activation_point: 1n },
  });
  return { data, event };
}

/** Returns the bytes of the event of a complete curve. */
export function meteoraComplete(): Buffer {
  const fields = { pool: somePool, config: noAddress, base_reserve: 1n, quote_reserve: 2n };
  return encodeBy(meteoraDbcEvents, { name: 'EvtCurveComplete', fields });
}
