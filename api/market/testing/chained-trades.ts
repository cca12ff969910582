import { afterCurveTrade, quoteForSale, tokensForQuote } from '../../../common/tokens/curve-trades.ts';
import type { CreatedObservation, TradeObservation } from '../sources/observation.ts';
import { address, created, START, startReserves, trade } from './observations.ts';

/** One trade of a chain: lamports of a purchase, or a negative share (0 to -1) of the wallet's tokens to sell. */
export interface TradeStep {
  wallet: string;
  amount: number;
  /** Slots after the trade before it. */
  slots: number;
}

const SLOT_MS = 400;
const SECOND_MS = 1_000;
const FIRST_SLOT = 1_000;

/** Returns a creation and trades that continue each other's reserves on the standard curve; times are whole seconds as on chain. */
export function chainedTrades(
  number: number,
  steps: readonly TradeStep[],
): [CreatedObservation, ...TradeObservation[]] {
  const signature = (index: number) => `${address(number)} ${index}`;
  const at = (slot: number) => START + Math.floor(((slot - FIRST_SLOT) * SLOT_MS) / SECOND_MS) * SECOND_MS;
  let slot = FIRST_SLOT;
  let reserves = startReserves();
  const held = new Map<string, number>();
  const trades = steps.flatMap(({ wallet, amount, slots }, index): TradeObservation[] => {
    const owned = held.get(wallet) ?? 0;
    const side = amount > 0 ? 'buy' : 'sell';
    const tokenAmount = side === 'buy' ? tokensForQuote(reserves, amount) : Math.floor(owned * -amount);
    const quoteAmount = side === 'buy' ? amount : quoteForSale(reserves, tokenAmount);
    if (tokenAmount === 0) return [];
    slot += slots;
    held.set(wallet, owned + (side === 'buy' ? tokenAmount : -tokenAmount));
    reserves = afterCurveTrade(reserves, side, quoteAmount, tokenAmount);
    const chain = { signature: signature(index + 1), index: 0, slot };
    return [trade({ address: address(number), at: at(slot), chain, side, wallet, quoteAmount, tokenAmount, reserves })];
  });
  const chain = { signature: signature(0), index: 0, slot: FIRST_SLOT };
  return [created({ address: address(number), chain, symbol: `S${number}`, name: `Coin ${number}` }), ...trades];
}
