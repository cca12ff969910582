import type { OpenTrade } from '../../orders/model.ts';
import type { HeldLot } from '../fill-book.ts';
import type { PositionRecord } from '../record.ts';

const emptyLot: HeldLot = { tokens: 0n, quoteLamports: 0, rentLamports: 0 };

/** Returns the lot of open positions after fills that are in none of them yet. */
export function heldLot(
  positions: readonly Pick<PositionRecord, 'tokens' | 'quoteLamports' | 'rentLamports'>[],
  missing: readonly Pick<OpenTrade, 'side' | 'fill'>[],
): HeldLot {
  const applied = positions.reduce<HeldLot>(
    (sum, { tokens, quoteLamports, rentLamports }) => ({
      tokens: sum.tokens + BigInt(tokens),
      quoteLamports: sum.quoteLamports + quoteLamports,
      rentLamports: sum.rentLamports + rentLamports,
    }),
    emptyLot,
  );
  return missing.toSorted((one, other) => (one.fill?.at ?? 0) - (other.fill?.at ?? 0)).reduce(afterFill, applied);
}

function afterFill(lot: HeldLot, { side, fill }: Pick<OpenTrade, 'side' | 'fill'>): HeldLot {
  if (fill === null) return lot;
  const { lamports, costs } = fill;
  const fee = costs.launchpadFeeLamports ?? 0;
  if (side === 'buy') {
    return {
      tokens: lot.tokens + BigInt(fill.tokens),
      quoteLamports: lot.quoteLamports + lamports - fee,
      rentLamports: lot.rentLamports + costs.accountRentLamports,
    };
  }
  const tokens = lot.tokens - BigInt(fill.tokens);
  // A position that is closed leaves nothing behind.
  return tokens > 0n ? { ...lot, tokens, quoteLamports: lot.quoteLamports - lamports - fee } : emptyLot;
}
