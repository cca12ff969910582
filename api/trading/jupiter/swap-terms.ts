import { BPS } from '../../../common/trading/amounts.ts';
import { JUPITER_PROGRAM } from '../pump/interface.ts';

/** The effect of a swap instruction at any price. Amounts in base units or lamports. */
export interface SwapTerms {
  amountIn: bigint;
  /** The program fails when it would bring less. */
  leastOut: bigint;
}

/** A program whose swap instructions are understood. */
export interface SwapProgram {
  /** Address, base58. */
  id: string;
  /** Returns the terms of an instruction; null for one that is no swap, or takes a fee of its own. */
  termsOf(data: Buffer): SwapTerms | null;
}

/** First bytes of Jupiter's swaps of an exact amount: sha256 of `global:route_v2` and `global:shared_accounts_route_v2`. */
const ROUTE = 'bb64facc31c4af14';
const SHARED_ROUTE = 'd19853937cfed8e9';
const DISCRIMINATOR_BYTES = 8;
/** Amount in, quoted amount out (u64), slippage, platform fee, fee on a better price (u16, basis points); a route follows. */
const TERMS_BYTES = 22;

/**
 * Jupiter's program (v6). Layouts of its v2 instructions as in its published interface, checked against recorded responses of
 * `/swap/v2/build`, September 2026. Older instructions are not accepted.
 */
export const jupiterProgram: SwapProgram = {
  id: JUPITER_PROGRAM,
  termsOf(data) {
    const name = data.toString('hex', 0, DISCRIMINATOR_BYTES);
    if (name !== ROUTE && name !== SHARED_ROUTE) return null;
    // The shared accounts are chosen by a number of one byte.
    const at = DISCRIMINATOR_BYTES + (name === SHARED_ROUTE ? 1 : 0);
    if (data.length < at + TERMS_BYTES) return null;
    const [slippage = 0, ...fees] = [16, 18, 20].map((offset) => data.readUInt16LE(at + offset));
    if (slippage > BPS || fees.some((fee) => fee !== 0)) return null;
    const quoted = data.readBigUInt64LE(at + 8);
    return { amountIn: data.readBigUInt64LE(at), leastOut: (quoted * BigInt(BPS - slippage)) / BigInt(BPS) };
  },
};
