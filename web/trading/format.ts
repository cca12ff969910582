import { displaySymbol } from '../../common/tokens/names.ts';
import { cutText, plainText } from '../../common/tokens/text/plain-text.ts';
import { LAMPORTS_PER_SOL, solText } from '../../common/tokens/units.ts';
import { networkCosts } from '../../common/trading/fills.ts';
import type { Fill, OrderToken } from '../../common/trading/order.ts';
import { MISSING } from '../ui/format.ts';

/** Lamports in the last shown decimal of an amount: six decimals. */
const SHOWN_UNIT = 1_000;
/** Decimals of amounts in tables; those of less than 0.001 SOL have more. */
const DECIMALS = 4;
const SMALL_DECIMALS = 6;
const SMALL_LAMPORTS = LAMPORTS_PER_SOL / 1_000;
const NAME_MAX = 32;

/** The fields of a token that texts name. */
export type NamedToken = Omit<OrderToken, 'decimals'>;

/** Formats a cost in SOL with at most 6 decimals, rounded up: it is never shown smaller than it is. */
export function costSol(lamports: number): string {
  return solText(BigInt(Math.ceil(lamports / SHOWN_UNIT) * SHOWN_UNIT));
}

/** Formats an amount in SOL that the user receives, with at most 6 decimals, rounded down. */
export function gainSol(lamports: number): string {
  return solText(BigInt(Math.floor(lamports / SHOWN_UNIT) * SHOWN_UNIT));
}

/** Formats exact SOL: `0.100000001`. */
export function exactSol(lamports: number): string {
  return solText(BigInt(lamports));
}

/** Formats SOL for a table: 4 decimals, 6 for less than 0.001 SOL. The sign is dropped. */
export function shortSol(lamports: number | null): string {
  if (lamports === null) return MISSING;
  const size = Math.abs(lamports);
  const decimals = size > 0 && size < SMALL_LAMPORTS ? SMALL_DECIMALS : DECIMALS;
  return (size / LAMPORTS_PER_SOL).toFixed(decimals);
}

/** Formats a profit or loss with its sign: `+0.0123 SOL`, `−0.000012 SOL`. */
export function signedSol(lamports: number | null): string {
  if (lamports === null) return MISSING;
  const text = shortSol(lamports);
  const sign = Number(text) === 0 ? '' : lamports > 0 ? '+' : '−';
  return `${sign}${text} SOL`;
}

/** Formats basis points as percent without trailing zeros: 500 → `5 %`. */
export function percentOfBps(bps: number): string {
  return `${Number((bps / 100).toFixed(2))} %`;
}

/** Returns the profit as percent of the cost; null without a cost or a profit. */
export function profitPercent(profitLamports: number | null, costLamports: number): number | null {
  return profitLamports === null || costLamports === 0 ? null : (profitLamports / costLamports) * 100;
}

/** Returns the symbol of an order's token for the screen, else its name, else a placeholder with the start of its address. */
export function symbolOfToken({ symbol, name, address }: NamedToken): string {
  return cutText(displaySymbol({ symbol: symbol === null ? null : plainText(symbol), name, address }), NAME_MAX);
}

/** Returns all that left the wallet by a purchase. */
export function spentLamports({ lamports, costs }: Fill): number {
  return lamports + networkCosts(costs) + costs.accountRentLamports + costs.volumeRentLamports;
}

/** Returns all that arrived by a sale, without returned rent, which is no gain; negative when the fees exceed it. */
export function receivedLamports({ lamports, costs }: Fill): number {
  return lamports - networkCosts(costs);
}
