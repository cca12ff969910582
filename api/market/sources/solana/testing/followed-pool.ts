import type { PumpSwapEvent, PumpSwapFields } from '../decode/pump-swap-events.ts';
import { poolBuy, poolSell } from './pool-events.ts';

/** A pool that follows PumpSwap's formula, with a fee of 20 basis points for its liquidity providers. */
export function createPool() {
  let base: bigint = 206_900_000_000_000n;
  let quote: bigint = 84_990_359_301n;
  const partOf = (amount: bigint, bps: bigint): bigint => (amount * bps) / 10_000n;
  return {
    /** Sends coins or quote to the accounts of the pool. */
    donate(units: { base?: bigint; quote?: bigint }) {
      base += units.base ?? 0n;
      quote += units.quote ?? 0n;
    },
    buy(fields: Pick<PumpSwapFields<'BuyEvent'>, 'timestamp' | 'user'>, paid: bigint) {
      const out: bigint = (base * paid) / (quote + paid);
      const [pool_base_token_reserves, pool_quote_token_reserves] = [base, quote];
      base -= out;
      const withFee: bigint = partOf(paid, 10_020n);
      quote += withFee;
      const amounts = { base_amount_out: out, quote_amount_in: paid, quote_amount_in_with_lp_fee: withFee };
      return {
        event: poolBuy({ ...fields, ...amounts, pool_base_token_reserves, pool_quote_token_reserves }),
        amount: out,
      };
    },
    sell(fields: Pick<PumpSwapFields<'SellEvent'>, 'timestamp' | 'user'>, amount: bigint): PumpSwapEvent {
      const out: bigint = (quote * amount) / (base + amount);
      const [pool_base_token_reserves, pool_quote_token_reserves] = [base, quote];
      base += amount;
      const withoutFee: bigint = partOf(out, 9_980n);
      quote -= withoutFee;
      const amounts = {
        base_amount_in: amount,
        quote_amount_out: out,
        quote_amount_out_without_lp_fee: withoutFee,
      };
      return poolSell({ ...fields, ...amounts, pool_base_token_reserves, pool_quote_token_reserves });
    },
  };
}
